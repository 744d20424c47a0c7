// Three languages. A text is a string with {holes}, or an object of plural forms by Intl.PluralRules. Of [pit|hole]
// the first word is that of Urim's family, the second that of Rio Kadalis.
import en from './strings-en.js';
import fr from './strings-fr.js';
import pt from './strings-pt.js';

export const kLanguages = {en: 'English', fr: 'Français', pt: 'Português'};
/**
 * French sets a space before : ; ? ! and within « », at which no line is broken. It stands as an ordinary one in the texts, where
 * it can be seen.
 */
export const spaced = (text) => text.replace(/ (?=[:»])/g, '\u00a0').replace(/ (?=[;?!])/g, '\u202f').replace(/« /g, '«\u00a0');

const spacedForms = (entry) => (typeof entry === 'string' ? spaced(entry)
  : Object.fromEntries(Object.entries(entry).map(([form, text]) => [form, spaced(text)])));
const kTexts = {en, fr: Object.fromEntries(Object.entries(fr).map(([key, entry]) => [key, spacedForms(entry)])), pt};

let language = 'en';
let rules = new Intl.PluralRules('en');
let numbers = new Intl.NumberFormat('en');

export function preferredLanguage() {
  for (const wanted of navigator.languages ?? []) {
    const short = wanted.slice(0, 2).toLowerCase();
    if (kTexts[short]) return short;
  }
  return 'en';
}

export function setLanguage(name) {
  language = kTexts[name] ? name : 'en';
  rules = new Intl.PluralRules(language === 'pt' ? 'pt-PT' : language);
  numbers = new Intl.NumberFormat(language === 'pt' ? 'pt-PT' : language);
  document.documentElement.lang = language;
}

export const currentLanguage = () => language;

let inSand = false;
/** Whose words are used from now on. */
export const setSpeech = (family) => { inSand = family !== 'urim'; };

/** What step() gives, in the words of another family than the one that is played. */
export function inWordsOf(family, step) {
  const before = inSand;
  setSpeech(family);
  try {
    return step();
  } finally {
    inSand = before;
  }
}

const filled = (text, values) => text.replace(/\[([^|\]]*)\|([^\]]*)\]/g, inSand ? '$2' : '$1').replace(/\{(\w+)\}/g, (hole, name) => (values[name] ?? hole));

/** The text of a key with its holes filled. */
export function t(key, values = {}) {
  const text = kTexts[language][key] ?? en[key];
  if (typeof text !== 'string') throw new Error(`no text '${key}'`);
  return filled(text, values);
}

/** The text of a key in the form that goes with the number, which is {n}. Halves are written ½. */
export function plural(key, n, values = {}) {
  const forms = kTexts[language][key] ?? en[key];
  return filled(forms[rules.select(n)] ?? forms.other, {n: count(n), ...values});
}

export const hasText = (key) => key in en;

export function count(n) {
  const whole = Math.trunc(n);
  if (n === whole) return numbers.format(n);
  return `${whole || ''}½`;
}

/** +3, −2, 0; with a true minus. */
export const signed = (n) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0');

/** The same to be read aloud. */
export const spoken = (n) => (n > 0 ? t('plus', {n}) : n < 0 ? t('minus', {n: -n}) : '0');

export const percent = (share) => new Intl.NumberFormat(language, {style: 'percent', maximumFractionDigits: share > 0 && share < 0.1 ? 1 : 0}).format(share);

export const seedsWord = (family) => (family === 'urim' ? 'seeds' : 'stones');

/** Texts of the static page: elements with data-t (text), data-t-label (aria-label), data-t-hint (title). */
export function translatePage() {
  for (const element of document.querySelectorAll('[data-t]')) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll('[data-t-label]')) element.setAttribute('aria-label', t(element.dataset.tLabel));
  for (const element of document.querySelectorAll('[data-t-hint]')) element.title = t(element.dataset.tHint);
  document.title = t('title');
}
