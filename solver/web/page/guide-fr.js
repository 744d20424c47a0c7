// Les pages des règles en français. '**…**' : en gras.
const endless = (half) => `Une partie peut durer indéfiniment sans que rien ne soit plus pris. Ce qui reste sur le tablier est alors partagé à parts égales, à ${half} près s’il le faut. Ainsi la valeur d’une position ne dépend que du tablier, et non de la façon dont on y est arrivé.`;
const halfSeed = 'une demi-graine';
const halfStone = 'une demi-pierre';
const familyMove = [
  'Le joueur prend toutes les graines d’un de ses trous et les sème une à une dans les trous suivants, dans le sens inverse des aiguilles d’une montre : le long de sa rangée, puis de celle de l’adversaire, et ainsi de suite.',
  'Il n’y a qu’un seul semis. Le trou de départ est sauté chaque fois qu’on y revient : il est donc vide à la fin du coup.'];

export default {
  urim: {
    lead: 'Un jeu de semailles à deux rangées de **Brava**, l’île du sud-ouest du Cap-Vert ; un proche parent de l’oware.',
    parts: [
      {title: 'Noms et histoire', text: [
        'Urim, ourim, ouri, uril, oril : une même famille de jeux sous les noms de différentes îles. À Brava on y joue sur des tabliers de bois, les **bancos de ouri**, avec les graines grises du cniquier ; les émigrés cap-verdiens l’ont emporté avec eux, entre autres en Angola. Elísio Romariz Santos Silva l’a décrit en 1994.',
        'Trois choses distinguent l’urim de l’oware : la prise en chaîne peut emporter des quatre, un trou ne contient jamais plus de 17 graines, et une victoire nette compte double.']},
      {title: 'Tablier', text: ['Deux rangées de six trous, ou de sept, avec trois graines dans chacun : 36 ou 42 graines. À chacun la rangée la plus proche de lui et le grenier à sa droite. On ne sème pas dans les greniers.']},
      {title: 'Coup', text: familyMove},
      {title: 'Trous pleins', text: ['Aucun trou ne contient jamais plus de **17** graines.'], list: [
        '**skip** : un trou plein est sauté et la graine va au suivant ; la dernière graine peut donc tomber plus loin. On peut jouer un trou plein. Si aucun trou ne peut recevoir une graine, le coup n’est pas jouable.',
        '**forbid** : un coup dont le semis ferait dépasser la limite à un trou est interdit.']},
      {title: 'Prise', text: [
        'Seule la dernière graine peut prendre. Elle doit tomber dans un trou de l’**adversaire** et y faire exactement **2 ou 3**. En faire quatre ne donne rien.',
        'On prend alors ce trou et, en reculant contre le sens du semis, chaque trou voisin de l’adversaire qui contient **2, 3 ou 4** graines. Le premier qui en contient un autre nombre, ou le bout de la rangée, arrête la prise.']},
      {title: 'Grand chelem', decided: true, text: ['Prendre toutes les graines de la rangée adverse est une prise comme une autre, la description ne nommant aucune exception. Options : le coup ne prend rien (**leave**) ou est interdit (**forbid**).']},
      {title: 'Nourrir', text: ['Si la rangée de l’adversaire est vide, il faut jouer un coup après lequel, prises comprises, il a au moins une graine, s’il en existe un. Sinon, tous les coups sont permis.']},
      {title: 'Fin', decided: true, text: ['La partie est finie quand le joueur au trait n’a pas de coup permis. Chacun prend les graines de sa rangée ; en option, celui qui a joué le dernier les prend toutes.', endless(halfSeed)]},
      {title: 'Points', text: ['Celui qui finit avec au moins les trois quarts des graines (27 sur 36, 32 sur 42) gagne **2** points ; avec plus de la moitié, **1** point. Jouer pour la plus grande différence, c’est aussi jouer parfaitement pour les points.']},
    ],
    sources: ['E. R. Santos Silva, 1994, d’après le wiki Mancala.', 'Les points marqués « décidé ici » sont ceux de ce projet ; chacun est une option.'],
  },
  oware: {
    lead: 'Le plus connu des jeux à deux rangées d’Afrique de l’Ouest et des Caraïbes, ici selon les règles **abapa** des tournois.',
    parts: [
      {title: 'Pourquoi ici', text: ['L’oware sert d’étalon : beaucoup l’ont joué, noté et étudié. Les coups du programme sont comparés à des parties enregistrées.']},
      {title: 'Tablier', text: ['Deux rangées de six trous avec quatre graines dans chacun.']},
      {title: 'Coup', text: familyMove},
      {title: 'Prise', text: ['La dernière graine doit faire exactement 2 ou 3 dans un trou de l’adversaire. On prend ce trou et, en reculant, chaque trou voisin de l’adversaire qui en contient 2 ou 3.']},
      {title: 'Grand chelem', text: ['Un coup qui prendrait toutes les graines de l’adversaire peut être joué, mais ne prend rien.']},
      {title: 'Nourrir', text: ['Il faut donner des graines à l’adversaire qui n’en a plus, si c’est possible.']},
      {title: 'Fin', text: ['Quand le joueur au trait n’a pas de coup, chacun prend les graines de sa rangée.', `${endless(halfSeed)} En tournoi, une position répétée fait prendre à chacun sa rangée, ce qui ferait dépendre les valeurs de l’histoire de la partie.`]},
    ],
    sources: ['Règles abapa ; des parties enregistrées de StoneShark/MancalaGames servent de tests au programme.'],
  },
  awari: {
    lead: 'L’oware tel que les ordinateurs le jouent depuis les **olympiades d’ordinateurs** : le premier de ces jeux à avoir été résolu.',
    parts: [
      {title: 'Pourquoi ici', text: ['T. Lincke a publié le nombre de positions de chaque valeur pour de nombreux niveaux, et Romein et Bal ont résolu le jeu entier en 2002 : bien jouée, la partie est nulle. Les tables du programme sont comparées à ces nombres.']},
      {title: 'Tablier', text: ['Deux rangées de six trous avec quatre pierres dans chacun.']},
      {title: 'Coup', text: familyMove},
      {title: 'Prise', text: ['La dernière pierre doit faire exactement 2 ou 3 dans un trou de l’adversaire. On prend ce trou et, en reculant, chaque trou voisin qui en contient 2 ou 3.']},
      {title: 'Rangée vide', text: ['Un coup qui laisse l’adversaire sans pierre est interdit, sauf si tous le font ; alors tous sont permis, et celui qui prend prend bien. Cette règle remplace à la fois celle qui oblige à nourrir et celle du grand chelem.']},
      {title: 'Fin', text: ['Un joueur au trait dont la rangée est vide met fin à la partie ; ce qui reste est à l’adversaire, dans la rangée de qui il se trouve.', endless(halfStone)]},
    ],
    sources: ['T. Lincke, **Exploring the Computational Limits of Large Exhaustive Search Problems**, ETH Zurich 2002.', 'J. W. Romein et H. E. Bal, 2002 et 2003 : la solution de l’awari.'],
  },
  'rio-kadalis': {
    lead: 'Un jeu à relais de **Somalie**, joué dans des trous creusés dans le sable. Le nom veut dire « aider une chèvre à mettre bas ».',
    parts: [
      {title: 'Noms et histoire', text: ['Le jeu est somali ; on y joue sur deux rangées de trous, avec les pierres qu’on trouve. Certains joueurs habr awal creusent cinq trous par rangée au lieu de six. Un groupe de quatre fait par la dernière pierre s’appelle **binikh**.']},
      {title: 'Tablier', text: ['Deux rangées de six trous (ou cinq) avec quatre pierres dans chacun : 48 pierres (ou 40). Il n’y a pas de grenier ; les pierres gagnées sont posées à côté, ici par groupes de quatre.']},
      {title: 'Coup', text: ['Le joueur prend toutes les pierres d’un de ses trous et les sème une à une dans les trous ouverts suivants. Le trou de départ n’est **pas** sauté. La suite dépend de l’endroit où tombe la dernière pierre du tour :'], list: [
        'dans un trou **vide** : le coup est fini ;',
        'dans un trou où elle fait **exactement quatre**, binikh : le joueur prend ces quatre pierres, dans quelque rangée qu’elles soient, et le coup est fini ;',
        'dans tout autre trou occupé : on prend toutes ses pierres et on continue à semer à partir de là ; c’est le **tour** suivant.']},
      {title: 'Les quatre en chemin', text: ['Une pierre qui n’est pas la dernière de son tour et qui fait exactement quatre : ces quatre pierres sont retirées aussitôt et appartiennent au **propriétaire de la rangée**, quel que soit le joueur. Les pierres suivantes trouvent le trou vide.', 'Seul compte le fait de **devenir** quatre. Un trou qui contient quatre pierres au repos, comme au début, n’est pas un groupe ; la pierre suivante en fait cinq.']},
      {title: 'Semis sans fin', decided: true, text: ['Il y a des trous dont le semis ne s’arrête jamais. Le programme les reconnaît exactement : un même état du tablier, de la place et de la main revient. Un tel trou ne peut pas être choisi ; ou bien, en option, il le peut, et la manche finit par le partage égal de ce qui reste.', 'Exemple : le trou 1 de 2,0,1,0,2,1/0,2,1,0,2,1.']},
      {title: 'Fin de la manche', decided: true, text: ['La manche est finie quand le joueur au trait n’a aucun trou jouable. Ce qui reste est au propriétaire de la rangée où il se trouve. Celui qui a le plus de pierres gagne la manche.', endless(halfStone)]},
      {title: 'Match', text: ['Après une manche, chacun remplit de quatre pierres autant de trous qu’il peut, au plus toute sa rangée, et garde le reste à côté ; ses autres trous sont **fermés** pour cette manche. Celui qui ne peut remplir aucun trou a perdu le match.', 'Par défaut on commence à tour de rôle ; en option, le gagnant ou le perdant de la dernière manche commence.']},
      {title: 'Sens', text: ['Dans un sens ou dans l’autre : cela ne change que le dessin du tablier, pas la valeur des positions.']},
    ],
    sources: ['La description de Rio Kadalis sur le wiki Mancala.', 'Les points marqués « décidé ici » sont ceux de ce projet.'],
  },
};
