// The two dialogs: a new game, and help.
import {h} from './dom.js';
import {t, seedsWord, plural, inWordsOf} from './i18n.js';
import {kStrengths} from './opponent.js';

/** Boards that people play on. */
const kPresets = {
  urim: [[6, 3], [7, 3]], oware: [[6, 4]], awari: [[6, 4], [6, 3]], 'rio-kadalis': [[6, 4], [5, 4]],
};
const kSmall = {urim: [[3, 2], [4, 2]], oware: [[4, 2]], awari: [[4, 2]], 'rio-kadalis': [[4, 4], [3, 4]]};

const titled = (id, key) => h('h2', {id}, t(key));

const closer = (dialog) => h('button', {type: 'button', class: 'quiet icon close', 'aria-label': t('close'), onclick: () => dialog.close()}, '×');

function show(dialog, content) {
  const before = document.activeElement;
  dialog.replaceChildren(content);
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  dialog.onclose = () => { if (before?.isConnected && document.activeElement === document.body) before.focus(); };
  if (!dialog.open) dialog.showModal();
}

/** The control of one rule option; read() gives its value. */
function optionControl(option, value) {
  const id = `option-${option.name}`;
  const label = h('label', {for: id}, t(`opt_name_${option.name}`));
  const choices = option.values.split(' | ');
  let control;
  if (choices.length > 1) {
    control = h('select', {id, name: option.name}, choices.map((choice) => h('option', {value: choice, selected: choice === value},
      choice === option.default ? t('setup_default', {value: choice}) : choice)));
  } else {
    control = h('input', {id, name: option.name, type: 'text', value, spellcheck: 'false', autocomplete: 'off', placeholder: option.default});
  }
  control.setAttribute('aria-describedby', `${id}-about`);
  return {element: h('div', {class: 'option'}, label, control, h('p', {class: 'muted small', id: `${id}-about`}, t(`opt_${option.name}`))),
    read: () => control.value.trim() || option.default};
}

export function openSetup(dialog, games, setup, engine, showValues, onStart) {
  const draft = {...setup, options: {...setup.options}};
  let controls = [];
  const game = h('div', {class: 'choices', role: 'radiogroup', 'aria-label': t('setup_game')}, games.map((record) => h('label', {class: 'choice'},
    h('input', {type: 'radio', name: 'game', value: record.game, checked: record.game === setup.game, autofocus: record.game === setup.game, onchange: () => {
      Object.assign(draft, {game: record.game, pits: record.pits, seedsPerPit: record.seeds_per_pit, options: {}});
      fill();
    }}), h('span', {}, h('b', {}, t(`game_${record.game}`)), h('small', {}, t(`about_${record.game}`))))));
  const pits = h('input', {type: 'number', id: 'setup-pits', min: 1, max: 8, required: true});
  const seeds = h('input', {type: 'number', id: 'setup-seeds', min: 0, max: 127, required: true});
  const presets = h('div', {class: 'presets', role: 'group', 'aria-label': t('setup_presets')});
  const options = h('div', {class: 'options'});
  const side = h('select', {id: 'setup-engine'}, [['', 'setup_nobody'], ['1', 'setup_engine_north'], ['0', 'setup_engine_south'], ['both', 'setup_engine_both']]
    .map(([value, key]) => h('option', {value, selected: value === String(engine.side ?? '')}, t(key))));
  const strength = h('select', {id: 'setup-strength'}, Object.keys(kStrengths).map((name) => h('option', {value: name, selected: name === engine.strength}, t(`strength_${name}`))));
  const explain = h('p', {class: 'muted small', id: 'setup-strength-about'});
  const hide = h('input', {type: 'checkbox', id: 'setup-hide', checked: !showValues});
  strength.setAttribute('aria-describedby', explain.id);

  const pitsLabel = h('label', {for: 'setup-pits'});
  const seedsLabel = h('label', {for: 'setup-seeds'});
  const familyOf = () => games.find((candidate) => candidate.game === draft.game).family;

  function fill() {
    inWordsOf(familyOf(), fillInWords);
    explainStrength();
  }

  function fillInWords() {
    const record = games.find((candidate) => candidate.game === draft.game);
    pitsLabel.textContent = t('setup_pits');
    seedsLabel.textContent = t('setup_seeds');
    pits.value = draft.pits;
    pits.max = record.max_pits;
    seeds.value = draft.seedsPerPit;
    presets.replaceChildren(...[...kPresets[draft.game], ...kSmall[draft.game]].map(([k, s]) => h('button', {type: 'button', class: 'small',
      'aria-label': `${t('board_size', {rows: 2, pits: k})}, ${plural(seedsWord(record.family), s)}`,
      onclick: () => { pits.value = k; seeds.value = s; }}, `2×${k} · ${s}`)));
    controls = record.options.map((option) => [option, optionControl(option, draft.options[option.name] ?? option.default)]);
    options.replaceChildren(...controls.map(([, control]) => control.element));
  }

  function explainStrength() {
    strength.disabled = side.value === '';
    const half = kStrengths[strength.value];
    explain.textContent = half ? t('strength_help', {h: plural(seedsWord(familyOf()), half)}) : t('strength_help_perfect');
  }
  side.addEventListener('change', () => { explainStrength(); hide.checked = side.value !== '' && side.value !== 'both'; });
  strength.addEventListener('change', explainStrength);
  fill();

  const form = h('form', {method: 'dialog', onsubmit: (event) => {
    event.preventDefault();
    const chosen = {game: draft.game, pits: Number(pits.value), seedsPerPit: Number(seeds.value), options: {}};
    for (const [option, control] of controls) {
      const value = control.read();
      if (value !== option.default) chosen.options[option.name] = value;
    }
    dialog.close();
    onStart(chosen, {side: side.value === '' ? null : side.value === 'both' ? 'both' : Number(side.value), strength: strength.value}, !hide.checked);
  }},
  h('div', {class: 'dialog-head'}, titled('setup-title', 'setup_title'), closer(dialog)),
  h('div', {class: 'dialog-body'},
    game,
    h('div', {class: 'fields'},
      h('div', {class: 'option'}, pitsLabel, pits),
      h('div', {class: 'option'}, seedsLabel, seeds),
      h('div', {class: 'option'}, h('span', {class: 'label', 'aria-hidden': 'true'}, t('setup_presets')), presets)),
    h('div', {class: 'fields'},
      h('div', {class: 'option'}, h('label', {for: 'setup-engine'}, t('setup_opponent')), side),
      h('div', {class: 'option'}, h('label', {for: 'setup-strength'}, t('setup_strength')), strength, explain)),
    h('label', {class: 'check'}, hide, ' ', t('setup_hide')),
    h('details', {open: Object.keys(draft.options).length > 0}, h('summary', {}, t('setup_rules')), options)),
  h('div', {class: 'dialog-foot buttons'},
    h('button', {type: 'button', onclick: () => dialog.close()}, t('cancel')),
    h('button', {type: 'submit', class: 'primary', id: 'setup-start'}, t('setup_start'))));
  show(dialog, form);
}

export function openHelp(dialog, family) {
  const key = (name, text) => [h('dt', {}, h('kbd', {}, name)), h('dd', {}, t(text))];
  const sample = (tone, text) => h('span', {class: 'chip', 'data-tone': tone}, text);
  show(dialog, h('div', {},
    h('div', {class: 'dialog-head'}, titled('help-title', 'help_title'), closer(dialog)),
    h('div', {class: 'dialog-body'},
      h('p', {}, t('help_intro')),
      h('p', {class: 'samples'}, sample('win', '+3'), sample('draw', '0'), sample('loss', '−2'), ' ', t('help_colours')),
      h('h3', {}, t('help_keys')),
      h('dl', {class: 'keys'},
        key(t('key_name_arrows'), 'key_arrows'), key('1 … 8', 'key_digits'), key(t('key_name_enter'), 'key_enter'),
        key('U', 'key_u'), key('R', 'key_r'), key('H', 'key_h'), key('V', 'key_v'), key('E', 'key_e'),
        key('N', 'key_n'), key('L', 'key_l'), key(t('key_name_esc'), 'key_esc'), key('?', 'key_help'))),
    h('div', {class: 'dialog-foot buttons'}, h('button', {type: 'button', class: 'primary', autofocus: true, onclick: () => dialog.close()}, t('close')))));
}
