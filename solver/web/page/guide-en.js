// The rules pages in English. '**…**' is strong. What the games are: bitboard/RULES.md.
const endless = (half) => `Play can go on for ever with nothing more being taken. Then what is on the board is split evenly, ${half} each if need be. That makes the value of a position depend on the board alone and not on how it came about.`;
const halfSeed = 'half a seed';
const halfStone = 'half a stone';
const lincke = 'T. Lincke, **Exploring the Computational Limits of Large Exhaustive Search Problems**, ETH Zürich 2002.';
const romein = 'J. W. Romein and H. E. Bal, 2002 and 2003: the solution of Awari.';
const olympiad = {title: 'Empty row', text: ['A move that leaves the opponent without a stone is illegal, unless every move does so; then all are allowed, and one that captures does capture. This takes the place of both the feeding rule and the grand-slam rule.']};
const familyMove = [
  'The mover lifts all the seeds of one of his pits and drops them one by one into the following pits, counter-clockwise: along his own row, then along the opponent’s, and round again.',
  'There is one lap only. The pit that was lifted is passed over each time the sowing comes to it, so it is empty when the move is over.'];

export default {
  urim: {
    lead: 'A two-row game of sowing and taking from **Brava**, the south-western island of Cape Verde; a close relative of Oware.',
    parts: [
      {title: 'Names and history', text: [
        'Urim, Ourim, Ouri, Uril, Oril: the same family of games under the names of different islands. The people of Brava play it on wooden boards, **bancos de ouri**, with the grey seeds of the nickernut; Cape Verdean emigrants took it with them, to Angola among other places. It was described by Elísio Romariz Santos Silva in 1994.',
        'What sets Urim apart from Oware is that the chain of a capture may take fours, that a pit may hold no more than 17 seeds, and that a clear win counts double.']},
      {title: 'Board', text: ['Two rows of six pits, or of seven, with three seeds in each: 36 or 42 seeds. Each player owns the row nearest to him and the store on his right. Nothing is sown into stores.']},
      {title: 'Move', text: familyMove},
      {title: 'Full pits', text: ['No pit may ever hold more than **17** seeds.'], list: [
        '**skip**: a full pit takes nothing, and the seed goes on to the next one, so the last seed may fall further on. A full pit may itself be lifted. If no pit can take a seed, the move cannot be played.',
        '**forbid**: a move whose sowing would bring any pit above the limit is illegal.']},
      {title: 'Capture', text: [
        'Only the last seed can start one. It has to fall into a pit of the **opponent** and make it exactly **2 or 3**. Making it four does nothing.',
        'Then that pit is taken and, going backwards against the sowing, each next pit of the opponent’s row that holds **2, 3 or 4**. The first one with another number, or the end of the row, ends the run.']},
      {title: 'Grand slam', decided: true, text: ['A capture of all seeds in the opponent’s row is a capture like any other, since the description names no exception. Options: it takes nothing (**leave**), or the move is illegal (**forbid**).']},
      {title: 'Feeding', text: ['If the opponent’s row is empty, a move must be played after which, captures included, he has a seed, if there is such a move. If there is none, any move may be played.']},
      {title: 'End', decided: true, text: ['The game is over when the player to move has no legal move. Each player takes the seeds in his own row; as an option, the one who moved last takes them all.', endless(halfSeed)]},
      {title: 'Match points', text: ['Whoever ends with at least three quarters of the seeds (27 of 36, 32 of 42) earns **2** points; with more than half, **1** point. Play for the greatest difference is also perfect play for points.']},
    ],
    sources: ['E. R. Santos Silva, 1994, as reported on the Mancala wiki.', 'The points marked “decided here” are this project’s; each is an option.'],
  },
  oware: {
    lead: 'The best known of the two-row games of West Africa and the Caribbean, here in the **Abapa** style of tournaments.',
    parts: [
      {title: 'Why it is here', text: ['Oware is the yardstick: many have played, recorded and studied it. The program’s moves are checked against recorded games.']},
      {title: 'Board', text: ['Two rows of six pits with four seeds in each.']},
      {title: 'Move', text: familyMove},
      {title: 'Capture', text: ['The last seed has to make a pit of the opponent exactly 2 or 3. Then that pit is taken, and backwards each next one of the opponent’s that holds 2 or 3.']},
      {title: 'Grand slam', text: ['A move that would take all the opponent’s seeds may be played, but takes nothing.']},
      {title: 'Feeding', text: ['An opponent without seeds must be given some, if that is possible.']},
      {title: 'End', text: ['When the player to move has no move, each takes the seeds in his own row.', `${endless(halfSeed)} In tournaments a repeated position makes each player take his own row, which would make values depend on the history of the game.`]},
    ],
    sources: ['Abapa rules; recorded games of StoneShark/MancalaGames are tests of the program.'],
  },
  awari: {
    lead: 'Oware as computers have played it since the **Computer Olympiads**: the first of these games to be solved.',
    parts: [
      {title: 'Why it is here', text: ['T. Lincke published the number of positions of each value for many levels, and Romein and Bal solved the whole game in 2002: with perfect play it is a draw. The program’s tables are compared with these numbers.']},
      {title: 'Board', text: ['Two rows of six pits with four stones in each.']},
      {title: 'Move', text: familyMove},
      {title: 'Capture', text: ['The last stone has to make a pit of the opponent exactly 2 or 3. Then that pit is taken, and backwards each next one that holds 2 or 3.']},
      olympiad,
      {title: 'End', text: ['A player to move whose row is empty ends the game; what is left belongs to the opponent, in whose row it lies.', endless(halfStone)]},
    ],
    sources: [lincke, romein],
  },
  'rio-kadalis': {
    lead: 'A relay game of **Somalia**, played in holes in the sand. The name means “helping a goat to give birth”.',
    parts: [
      {title: 'Names and history', text: ['The game is Somali, and is played in two rows of holes with whatever stones lie about. Some Habr Awal players use five holes in a row instead of six. A group of four that is made by the last stone is called **binikh**.']},
      {title: 'Board', text: ['Two rows of six holes (or five) with four stones in each: 48 stones (or 40). There are no stores; won stones are laid beside the board, here in groups of four.']},
      {title: 'Move', text: ['The mover lifts all the stones of one of his holes and drops them one by one into the following open holes. The hole they came from is **not** passed over. Then it depends on where the last stone of the lap falls:'], list: [
        'into an **empty** hole: the move is over;',
        'into a hole that it makes **exactly four**, binikh: the mover takes these four, whichever row they lie in, and the move is over;',
        'into any other hole with stones: all its stones are lifted and sown on from there, as the next **lap**.']},
      {title: 'Fours on the way', text: ['A stone that is not the last of its lap and makes a hole exactly four: those four are taken off at once and belong to the **owner of the row**, whoever is moving. Later stones find the hole empty.', 'Only **becoming** four counts. A hole with four stones at rest, as at the start, is no group; the next stone makes it five.']},
      {title: 'Endless sowing', decided: true, text: ['There are holes from which the sowing never stops. The program finds them exactly: a state of board, place and hand that comes back. Such a hole may not be chosen; or, as an option, it may, and the round ends with what is left split evenly.', 'Example: hole 1 of 2,0,1,0,2,1/0,2,1,0,2,1.']},
      {title: 'End of a round', decided: true, text: ['The round is over when the player to move has no hole that he can play. What is left belongs to the owner of the row it lies in. Whoever has more stones wins the round.', endless(halfStone)]},
      {title: 'Match', text: ['After a round each player fills as many holes as he can with four stones, at most all of his row, and keeps the rest aside; his other holes are **closed** for that round. Whoever cannot fill a single hole has lost the match.', 'By default the players start rounds in turn; as options, the winner or the loser of the last round starts.']},
      {title: 'Direction', text: ['Counter-clockwise or clockwise: that changes only how the board is drawn, not what positions are worth.']},
    ],
    sources: ['The description of Rio Kadalis on the Mancala wiki.', 'The points marked “decided here” are this project’s.'],
  },
};
