// The other pages: rules of each game, what the tables hold, about.
import {attributes, h, svg} from './dom.js';
import {t, plural, count, signed, percent, currentLanguage, hasText, inWordsOf, seedsWord, spaced} from './i18n.js';
import {api} from './api.js';
import guideEn from './guide-en.js';
import guideFr from './guide-fr.js';
import guidePt from './guide-pt.js';

/** All texts of a guide, in French with the spaces that it sets. */
const eachText = (guide, change) => JSON.parse(JSON.stringify(guide), (key, value) => (typeof value === 'string' ? change(value) : value));
const kGuides = {en: guideEn, fr: eachText(guideFr, spaced), pt: guidePt};

function gameTabs(games, current, onChoose) {
  return h('div', {class: 'tabs', role: 'group', 'aria-label': t('rules_choose')}, games.map((record) => h('button', {type: 'button',
    'aria-pressed': String(record.game === current), dataset: {game: record.game}, onclick: () => onChoose(record.game)}, t(`game_${record.game}`))));
}

// ---- rules --------------------------------------------------------------------------------------------------------

/** '**word**' is strong; the rest is text. */
function prose(text) {
  return text.split('**').map((part, i) => (i % 2 ? h('strong', {}, part) : part));
}

const kSources = [['Lincke', 'source_olympiad'], ['Abapa', 'source_abapa'], ['description', 'source_description'], ['both are played', 'source_both'], ['decided here', 'source_decided']];

/** The API names sources in English; the parts it is known to be made of are translated. */
function source(text) {
  return text.split('; ').map((part) => {
    const [, key] = kSources.find(([word]) => part.includes(word)) ?? [];
    if (!key) return part;
    const game = /^(oware|awari): /.exec(part)?.[1];
    return game ? t('named', {name: t(`game_${game}`), what: t(key)}) : t(key);
  }).join(t('list_break'));
}

export function showRules(section, games, current) {
  const record = games.find((game) => game.game === current);
  const guide = kGuides[currentLanguage()][current];
  section.dataset.game = current;
  const options = h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('rules_options')}, h('table', {},
    h('thead', {}, h('tr', {}, ['option', 'option_default', 'option_values', 'option_source'].map((key) => h('th', {scope: 'col'}, t(key))))),
    h('tbody', {}, record.options.map((option) => h('tr', {class: option.inert ? 'is-inert' : null},
      h('th', {scope: 'row'}, h('span', {}, hasText(`opt_name_${option.name}`) ? t(`opt_name_${option.name}`) : option.name), h('code', {}, `--${option.name}`),
        h('p', {class: 'muted small'}, hasText(`opt_${option.name}`) ? t(`opt_${option.name}`) : option.meaning)),
      h('td', {'data-label': t('option_default')}, h('code', {}, option.default), option.inert ? h('p', {class: 'muted small'}, t('option_inert')) : null),
      h('td', {'data-label': t('option_values')}, h('code', {}, option.values)), h('td', {'data-label': t('option_source')}, source(option.source)))))));
  section.replaceChildren(
    gameTabs(games, current, (game) => { showRules(section, games, game); section.querySelector(`[data-game="${game}"]`).focus(); }),
    h('article', {class: `guide guide--${record.family}`},
      h('header', {}, h('h1', {}, t(`game_${current}`)), h('p', {class: 'lead'}, prose(guide.lead))),
      guide.parts.map(({title, text, list, decided}) => h('section', {},
        h('h2', {}, title, decided ? h('span', {class: 'badge'}, t('rules_decided')) : null),
        (text ?? []).map((paragraph) => h('p', {}, prose(paragraph))),
        list ? h('ul', {}, list.map((item) => h('li', {}, prose(item)))) : null)),
      h('section', {}, h('h2', {}, t('rules_options')), options),
      h('section', {}, h('h2', {}, t('rules_sources')), h('ul', {class: 'sources'}, guide.sources.map((item) => h('li', {}, prose(item)))))));
}

// ---- tables -------------------------------------------------------------------------------------------------------

export async function showTables(section, games, current, onOpen, report) {
  const {family} = games.find((game) => game.game === current);
  const inWords = (step) => inWordsOf(family, step);
  const head = [gameTabs(games, current, async (game) => {
    await showTables(section, games, game, onOpen, report);
    section.querySelector(`[data-game="${game}"]`).focus();
  }), h('h1', {}, t('tables_title')), h('p', {class: 'lead'}, inWords(() => t('tables_intro')))];
  section.replaceChildren(...head, h('p', {class: 'muted waiting'}, t('calculating')));
  section.dataset.game = current;
  let listing;
  let levels = [];
  try {
    listing = await api.tables();
    // Every set of rules that there is a table for; without options, the game's defaults.
    const sets = new Map();
    for (const table of listing.tables.filter((entry) => entry.game === current)) {
      sets.set(JSON.stringify(table.options ?? {}), table.options ?? {});
    }
    for (const options of sets.values()) levels.push(...(await api.levels({game: current, ...options})).levels);
  } catch (error) {
    if (section.dataset.game !== current) return;
    section.replaceChildren(...head, h('p', {class: 'muted'}, t('tables_none')));
    report(error);
    return;
  }
  if (section.dataset.game !== current) return;
  const groups = new Map();
  for (const level of levels) {
    const key = [level.rules, level.rows ?? level.pits, level.start ?? ''].join('|');
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(level);
  }
  const parts = [...groups.values()].map((group) => inWords(() => tableGroup(current, family, group, onOpen, games)));
  section.replaceChildren(...head, ...(parts.length ? parts : [h('p', {class: 'muted empty'}, t('tables_none'))]),
    listing.faults?.length ? h('section', {class: 'card faults'}, h('h2', {}, t('tables_faults')), h('ul', {}, listing.faults.map((fault) => h('li', {}, h('code', {}, fault.file), ' ', fault.error)))) : '');
}

function tableGroup(game, family, levels, onOpen, games) {
  levels.sort((a, b) => a.seeds - b.seeds);
  const [first] = levels;
  const rows = first.rows ? first.rows.join('+') : `2×${first.pits}`;
  const withDistances = levels.some((level) => 'longest_distance' in level);
  const withGuarantees = levels.some((level) => level.forced);
  const largest = levels.reduce((best, level) => (level.positions > best.positions ? level : best));
  const histogram = h('div', {class: 'histogram'});
  const select = h('select', {id: `level-${Math.random().toString(36).slice(2)}`, onchange: () => draw()},
    levels.map((level, i) => h('option', {value: i, selected: level === largest}, count(level.seeds))));
  const draw = () => histogram.replaceChildren(...inWordsOf(family, () => valueChart(levels[Number(select.value)])));
  draw();
  const table = h('table', {},
    h('thead', {}, h('tr', {}, ['tables_level', 'tables_positions', 'tables_wins', 'tables_draws', 'tables_losses',
      ...(withGuarantees ? ['tables_forced', 'tables_outcome_forced'] : []), ...(withDistances ? ['tables_longest'] : [])].map((key) => h('th', {scope: 'col'}, t(key))))),
    h('tbody', {}, levels.map((level) => h('tr', {},
      h('th', {scope: 'row'}, count(level.seeds)),
      [level.positions, level.wins, level.draws, level.losses].map((number) => h('td', {class: 'number'}, count(number))),
      withGuarantees ? [level.forced?.values, level.forced && level.forced.wins + level.forced.draws + level.forced.losses]
        .map((number) => h('td', {class: 'number'}, number === undefined ? '' : count(number))) : null,
      withDistances ? h('td', {class: 'number'}, level.longest_distance_position
        ? h('button', {type: 'button', class: 'link', title: t('tables_open'), 'aria-label': t('named', {name: t('tables_open'), what: level.longest_distance_position}),
          onclick: () => onOpen(setupOf(game, level, games), level.longest_distance_position)}, count(level.longest_distance)) : '') : null))));
  return h('section', {class: 'card levels'},
    h('h2', {}, t('tables_set', {game: t(`game_${game}`), rows})),
    h('p', {class: 'muted small'}, t('tables_rules', {rules: first.rules}), ' · ',
      first.scope === 'reachable' ? t('tables_scope_reachable', {start: first.start}) : t('tables_scope_all')),
    levels.length > 1 ? shareChart(levels, family) : null,
    h('div', {class: 'columns'},
      h('div', {}, h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('tables_title')}, table),
        withGuarantees ? h('p', {class: 'muted small'}, t('tables_forced_note')) : null),
      h('div', {}, h('p', {}, h('label', {for: select.id}, t('tables_values')), ' ', select, ' ', t('tables_values_seeds')), histogram)));
}

function setupOf(game, level, games) {
  const record = games.find((candidate) => candidate.game === game);
  const options = {};
  for (const pair of level.rules.split(' ')) {
    const [name, value] = pair.split('=');
    const option = record.options.find((candidate) => candidate.name === name);
    if (option && option.default !== value) options[name] = value;
  }
  return {game, pits: level.longest_distance_position.split('/')[0].split(',').length, seedsPerPit: record.seeds_per_pit, options};
}

/** Won, level, lost of each level, as parts of a whole; drawn anew at each width, so that its numbers stay as large. */
function shareChart(levels, family) {
  const chart = svg('svg', {class: 'chart', role: 'img', 'aria-label': t('tables_chart')});
  const legend = h('p', {class: 'legend small'}, ['wins', 'draws', 'losses'].map((kind) => h('span', {}, h('i', {class: `dot dot--${kind}`}), t(`tables_${kind}`))));
  const figure = h('figure', {}, h('figcaption', {class: 'muted small'}, t('tables_chart')), chart, legend);
  let drawn = 0;
  const draw = (width) => {
    if (width < 1 || width === drawn) return;
    drawn = width;
    drawShares(chart, levels, family, width);
  };
  draw(1000);
  new ResizeObserver(([{contentRect}]) => draw(Math.round(contentRect.width))).observe(figure);
  return figure;
}

function drawShares(chart, levels, family, width) {
  const [height, left, bottom] = [220, 44, 26];
  const kLabelWidth = 20;
  const step = (width - left) / levels.length;
  attributes(chart, {viewBox: `0 0 ${width} ${height}`});
  chart.replaceChildren();
  const full = height - bottom - 8;
  for (const share of [0, 0.5, 1]) {
    const y = 8 + full * (1 - share);
    chart.append(svg('line', {x1: left - 4, x2: width, y1: y, y2: y, class: 'grid'}));
    const label = svg('text', {x: left - 8, y: y + 4, class: 'tick', 'text-anchor': 'end'});
    label.textContent = percent(share);
    chart.append(label);
  }
  levels.forEach((level, i) => {
    const x = left + i * step + step * 0.09;
    let y = 8;
    for (const kind of ['wins', 'draws', 'losses']) {
      const part = (full * level[kind]) / level.positions;
      const bar = svg('rect', {x: x.toFixed(1), y: y.toFixed(2), width: (step * 0.82).toFixed(1), height: part.toFixed(2), class: `bar bar--${kind}`});
      const title = svg('title');
      title.textContent = t('named', {name: plural(seedsWord(family), level.seeds), what: `${t(`tables_${kind}`)} ${percent(level[kind] / level.positions)}`});
      bar.append(title);
      chart.append(bar);
      y += part;
    }
    if (i % Math.ceil(kLabelWidth / step) === 0) {
      const label = svg('text', {x: x + step * 0.41, y: height - 8, class: 'tick', 'text-anchor': 'middle'});
      label.textContent = level.seeds;
      chart.append(label);
    }
  });
}

const digestLine = (key, digest) => h('p', {class: 'muted small'}, t(key), ' ', h('code', {}, digest));

const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));

function valueChart(level) {
  const values = Object.entries(level.values).map(([value, positions]) => [Number(value), positions]).sort((a, b) => a[0] - b[0]);
  const unit = values.reduce((common, [value]) => divisor(common, Math.abs(value)), 0) || 1;
  const greatest = Math.max(4 * unit, ...values.map(([value]) => Math.abs(value)));
  const least = -greatest;
  const most = Math.max(...values.map(([, positions]) => positions));
  const [width, height, bottom] = [360, 210, 24];
  const step = width / ((greatest - least) / unit + 1);
  const place = (value) => ((value - least) / unit) * step;
  const chart = svg('svg', {class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': t('tables_histogram', {n: level.seeds})});
  for (const [value, positions] of values) {
    const tall = Math.max(1, ((height - bottom - 6) * positions) / most);
    const bar = svg('rect', {x: (place(value) + step * 0.08).toFixed(2), y: (height - bottom - tall).toFixed(2), width: (step * 0.84).toFixed(2), height: tall.toFixed(2),
      class: `bar bar--${value > 0 ? 'wins' : value < 0 ? 'losses' : 'draws'}`});
    const title = svg('title');
    title.textContent = t('named', {name: signed(value), what: count(positions)});
    bar.append(title);
    chart.append(bar);
  }
  for (const value of [least, 0, greatest]) {
    const label = svg('text', {x: Math.max(12, Math.min(width - 12, place(value) + step / 2)), y: height - 7, class: 'tick', 'text-anchor': 'middle'});
    label.textContent = signed(value);
    chart.append(label);
  }
  const table = h('details', {}, h('summary', {class: 'small'}, t('tables_histogram', {n: level.seeds})),
    h('div', {class: 'scroll short', tabindex: '0', role: 'region', 'aria-label': t('tables_histogram', {n: level.seeds})}, h('table', {},
      h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, t('tables_value')), h('th', {scope: 'col'}, t('tables_count')))),
      h('tbody', {}, values.map(([value, positions]) => h('tr', {}, h('th', {scope: 'row'}, signed(value)), h('td', {class: 'number'}, count(positions))))))),
    digestLine('tables_digest', level.digest), level.guarantee_digest ? digestLine('tables_guarantee_digest', level.guarantee_digest) : null);
  return [chart, table];
}

// ---- about --------------------------------------------------------------------------------------------------------

export function showAbout(section, {version = '', commit = ''}) {
  const call = (path) => h('li', {}, h('a', {href: path}, h('code', {}, `/${path}`)));
  section.replaceChildren(
    h('h1', {}, t('about_title')),
    h('p', {class: 'lead'}, t('about_1')), h('p', {}, t('about_2')), h('p', {}, t('about_3')),
    h('h2', {}, t('about_strength')),
    ...['about_strength_1', 'about_strength_2', 'about_strength_3'].map((key) => h('p', {}, t(key))),
    h('h2', {}, t('about_api')), h('p', {}, t('about_api_1')),
    h('ul', {}, call('api/v1/games'), call('api/v1/tables'), call('api/v1/position?game=urim&position=1,0,1/0,1,1'),
      call('api/v1/move?game=rio-kadalis&position=2,1,0,3/1,2,0,1&pit=1'), call('api/v1/levels?game=urim')),
    h('p', {class: 'muted small'}, t('about_version', {version, commit}), '. ', t('about_licence')));
}
