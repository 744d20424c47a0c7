// As páginas das regras em português. '**…**': em negrito.
const endless = (half) => `Uma partida pode durar para sempre sem que mais nada seja capturado. Então o que está no tabuleiro é dividido em partes iguais, com ${half} se for preciso. Assim, o valor de uma posição depende apenas do tabuleiro e não de como se chegou a ela.`;
const halfSeed = 'meia semente';
const halfStone = 'meia pedra';
const familyMove = [
  'O jogador tira todas as sementes de uma das suas covas e semeia-as uma a uma nas covas seguintes, no sentido contrário ao dos ponteiros do relógio: ao longo da sua fila, depois da do adversário, e assim por diante.',
  'Há uma só sementeira. A cova de partida é saltada sempre que se volta a ela, por isso fica vazia no fim da jogada.'];

export default {
  urim: {
    lead: 'Um jogo de semear e colher em duas filas, da **Brava**, a ilha do sudoeste de Cabo Verde; parente próximo do oware.',
    parts: [
      {title: 'Nomes e história', text: [
        'Urim, ourim, ouri, uril, oril: a mesma família de jogos com os nomes de várias ilhas. Na Brava joga-se em tabuleiros de madeira, os **bancos de ouri**, com as sementes cinzentas de um arbusto do género Caesalpinia; os emigrantes cabo-verdianos levaram-no consigo, entre outros lugares para Angola. Elísio Romariz Santos Silva descreveu-o em 1994.',
        'Três coisas distinguem o urim do oware: a captura em cadeia pode levar quatros, uma cova nunca tem mais de 17 sementes e uma vitória folgada vale a dobrar.']},
      {title: 'Tabuleiro', text: ['Duas filas de seis covas, ou de sete, com três sementes em cada uma: 36 ou 42 sementes. Cada jogador é dono da fila mais próxima de si e do depósito à sua direita. Nos depósitos não se semeia.']},
      {title: 'Jogada', text: familyMove},
      {title: 'Covas cheias', text: ['Nenhuma cova tem nunca mais de **17** sementes.'], list: [
        '**skip**: uma cova cheia é saltada e a semente segue para a seguinte, de modo que a última pode cair mais adiante. Uma cova cheia pode ser jogada. Se nenhuma cova puder receber uma semente, a jogada não é possível.',
        '**forbid**: é proibida a jogada que faria uma cova passar do limite.']},
      {title: 'Captura', text: [
        'Só a última semente pode capturar. Tem de cair numa cova do **adversário** e fazer aí exatamente **2 ou 3**. Fazer quatro não dá nada.',
        'Captura-se então essa cova e, recuando contra o sentido da sementeira, cada cova vizinha do adversário que tenha **2, 3 ou 4** sementes. A primeira com outro número, ou o fim da fila, termina a captura.']},
      {title: 'Captura total', decided: true, text: ['Capturar todas as sementes da fila do adversário é uma captura como as outras, pois a descrição não refere exceção. Opções: a jogada não captura nada (**leave**) ou é proibida (**forbid**).']},
      {title: 'Alimentar', text: ['Se a fila do adversário está vazia, é preciso fazer uma jogada depois da qual, capturas incluídas, ele tenha uma semente, se houver tal jogada. Se não houver, todas são permitidas.']},
      {title: 'Fim', decided: true, text: ['A partida acaba quando o jogador a jogar não tem jogada permitida. Cada um fica com as sementes da sua fila; em opção, quem jogou por último fica com todas.', endless(halfSeed)]},
      {title: 'Pontos', text: ['Quem acaba com pelo menos três quartos das sementes (27 de 36, 32 de 42) ganha **2** pontos; com mais de metade, **1** ponto. Jogar para a maior diferença é também jogar na perfeição para os pontos.']},
    ],
    sources: ['E. R. Santos Silva, 1994, segundo a wiki Mancala.', 'Os pontos marcados «decidido aqui» são deste projeto; cada um é uma opção.'],
  },
  oware: {
    lead: 'O mais conhecido dos jogos de duas filas da África Ocidental e das Caraíbas, aqui com as regras **abapa** dos torneios.',
    parts: [
      {title: 'Porque está aqui', text: ['O oware serve de padrão: muitos o jogaram, anotaram e estudaram. As jogadas do programa são comparadas com partidas registadas.']},
      {title: 'Tabuleiro', text: ['Duas filas de seis covas com quatro sementes em cada uma.']},
      {title: 'Jogada', text: familyMove},
      {title: 'Captura', text: ['A última semente tem de fazer exatamente 2 ou 3 numa cova do adversário. Captura-se essa cova e, recuando, cada cova vizinha do adversário que tenha 2 ou 3.']},
      {title: 'Captura total', text: ['Uma jogada que capturaria todas as sementes do adversário pode ser feita, mas não captura nada.']},
      {title: 'Alimentar', text: ['É preciso dar sementes ao adversário que não as tem, se for possível.']},
      {title: 'Fim', text: ['Quando o jogador a jogar não tem jogada, cada um fica com as sementes da sua fila.', `${endless(halfSeed)} Em torneios, uma posição repetida faz cada um ficar com a sua fila, o que faria os valores depender da história da partida.`]},
    ],
    sources: ['Regras abapa; partidas registadas de StoneShark/MancalaGames são testes do programa.'],
  },
  awari: {
    lead: 'O oware tal como os computadores o jogam desde as **Olimpíadas de Computadores**: o primeiro destes jogos a ser resolvido.',
    parts: [
      {title: 'Porque está aqui', text: ['T. Lincke publicou o número de posições de cada valor para muitos níveis, e Romein e Bal resolveram o jogo inteiro em 2002: bem jogado, é empate. As tabelas do programa são comparadas com esses números.']},
      {title: 'Tabuleiro', text: ['Duas filas de seis covas com quatro pedras em cada uma.']},
      {title: 'Jogada', text: familyMove},
      {title: 'Captura', text: ['A última pedra tem de fazer exatamente 2 ou 3 numa cova do adversário. Captura-se essa cova e, recuando, cada cova vizinha que tenha 2 ou 3.']},
      {title: 'Fila vazia', text: ['É proibida a jogada que deixa o adversário sem pedras, salvo se todas o fizerem; então todas são permitidas, e a que captura captura mesmo. Esta regra substitui a de alimentar e a da captura total.']},
      {title: 'Fim', text: ['O jogador a jogar cuja fila está vazia termina a partida; o que resta é do adversário, em cuja fila se encontra.', endless(halfStone)]},
    ],
    sources: ['T. Lincke, **Exploring the Computational Limits of Large Exhaustive Search Problems**, ETH Zürich 2002.', 'J. W. Romein e H. E. Bal, 2002 e 2003: a solução do awari.'],
  },
  'rio-kadalis': {
    lead: 'Um jogo de revezamento da **Somália**, jogado em buracos na areia. O nome quer dizer «ajudar uma cabra a parir».',
    parts: [
      {title: 'Nomes e história', text: ['O jogo é somali e joga-se em duas filas de buracos, com as pedras que houver. Alguns jogadores habr awal usam cinco buracos por fila em vez de seis. Um grupo de quatro feito pela última pedra chama-se **binikh**.']},
      {title: 'Tabuleiro', text: ['Duas filas de seis buracos (ou cinco) com quatro pedras em cada um: 48 pedras (ou 40). Não há depósitos; as pedras ganhas põem-se ao lado, aqui em grupos de quatro.']},
      {title: 'Jogada', text: ['O jogador tira todas as pedras de um dos seus buracos e larga-as uma a uma nos buracos abertos seguintes. O buraco de partida **não** é saltado. O resto depende de onde cai a última pedra da volta:'], list: [
        'num buraco **vazio**: a jogada acaba;',
        'num buraco onde faz **exatamente quatro**, binikh: o jogador fica com essas quatro, seja qual for a fila, e a jogada acaba;',
        'em qualquer outro buraco com pedras: tiram-se todas e continua-se a semear a partir daí; é a **volta** seguinte.']},
      {title: 'Quatros pelo caminho', text: ['Uma pedra que não é a última da sua volta e que faz exatamente quatro: essas quatro são logo retiradas e pertencem ao **dono da fila**, seja quem for que joga. As pedras seguintes encontram o buraco vazio.', 'Só conta **passar a ter** quatro. Um buraco com quatro pedras em repouso, como no início, não é um grupo; a pedra seguinte faz cinco.']},
      {title: 'Sementeira sem fim', decided: true, text: ['Há buracos cuja sementeira nunca acaba. O programa reconhece-os exatamente: volta um mesmo estado do tabuleiro, do lugar e da mão. Um tal buraco não pode ser escolhido; ou, em opção, pode, e a ronda acaba dividindo-se o resto em partes iguais.', 'Exemplo: o buraco 1 de 2,0,1,0,2,1/0,2,1,0,2,1.']},
      {title: 'Fim da ronda', decided: true, text: ['A ronda acaba quando o jogador a jogar não tem buraco que possa jogar. O que resta pertence ao dono da fila em que está. Quem tem mais pedras ganha a ronda.', endless(halfStone)]},
      {title: 'Encontro', text: ['Depois de uma ronda, cada um enche com quatro pedras tantos buracos quantos puder, no máximo a fila inteira, e guarda o resto ao lado; os seus outros buracos ficam **fechados** nessa ronda. Quem não puder encher nenhum buraco perdeu o encontro.', 'Por omissão começam à vez; em opção, começa o vencedor ou o vencido da última ronda.']},
      {title: 'Sentido', text: ['Num sentido ou no outro: isso só muda o desenho do tabuleiro, não o valor das posições.']},
    ],
    sources: ['A descrição de Rio Kadalis na wiki Mancala.', 'Os pontos marcados «decidido aqui» são deste projeto.'],
  },
};
