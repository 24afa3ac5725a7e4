/**
 * Two elements look the same that have the same markup, without its texts and numbers, within the same
 * ancestors, in the same state and window. `repeated` are the outermost elements whose key is in `seen`: they
 * can be left out. `keysWithout` are the keys to remember once nothing was found: all but what
 * holds these elements. These lines run in the page, beside axe.
 */
export const findSeenMarkup = String.raw`seen => {
  /** Their value decides how an element looks or what it is; of others only whether it is empty counts. */
  const valued = /^(class|type|role|tabindex|dir|lang|colspan|rowspan|scope|contenteditable|autocomplete)$/
  const references = /^(for|headers|aria-(labelledby|describedby|controls|owns|activedescendant|details))$/
  const texts = /^aria-(label|description|valuetext|placeholder|roledescription)$/
  const ignored = /^(id|name|width|height|x|y|d|viewBox|points|data-(row-key|i|at))$/
  const visual =
    /color|background|opacity|visibility|display|font|filter|shadow|transform|spacing|important|--/
  /** Its name is what it holds: it is looked at whole. */
  const named = 'a, button, label, summary, legend, caption, th, h1, h2, h3, h4, h5, h6, select, svg'
  const namedRole =
    /^(button|link|tab|menuitem.*|option|checkbox|radio|switch|treeitem|heading|img|tooltip|combobox|listbox)$/
  /** Of a text, in 53 bits: two that differ have the same by chance in no run of this suite. */
  const hash = text => {
    let a = 0xdeadbeef
    let b = 0x41c6ce57
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      a = Math.imul(a ^ code, 2654435761)
      b = Math.imul(b ^ code, 1597334677)
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
    return 4294967296 * (2097151 & b) + (a >>> 0)
  }
  const stateOf = id => {
    const target = document.getElementById(id)
    return target ? (target.textContent?.trim() ? 2 : 1) : 0
  }
  const attributeText = ({ name, value }) => {
    if (ignored.test(name)) return ''
    if (name === 'style') {
      return 'style=' + value
        .split(';')
        .filter(part => visual.test(part))
        .join(';')
    }
    if (references.test(name)) return name + '=' + value.split(/\s+/).map(stateOf).join('')
    if (texts.test(name)) return name + (value.trim() === '' ? 0 : 1)
    if (name.startsWith('aria-')) return name + '=' + value.replaceAll(/\d+/g, '0')
    const isToken = valued.test(name) || (name.startsWith('data-') && /^[a-z]*$/.test(value))
    return isToken ? name + '=' + value : name + (value.trim() === '' ? 0 : 1)
  }
  const active = new Set(document.querySelectorAll(':hover, :focus'))
  const counts = new Map()
  for (const { id } of document.querySelectorAll('[id]')) {
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  let duplicates = 0
  const isScrollable = element => {
    if (element.scrollHeight <= element.clientHeight && element.scrollWidth <= element.clientWidth) {
      return false
    }
    return /auto|scroll/.test(getComputedStyle(element).overflow)
  }
  const stateText = element => {
    const { id, previousElementSibling: before, nextElementSibling: after } = element
    const isDrawn = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const isInput = element instanceof HTMLInputElement
    const isField = isInput || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement
    const labels = isField ? [...(element.labels ?? [])].filter(each => each.textContent?.trim()).length : ''
    return [
      before ? '' : 'first',
      after ? '' : 'last',
      active.has(element) ? 'active' : '',
      isInput && element.checked ? 'checked' : '',
      isField ? labels + (element.value === '' ? 'empty' : 'full') : '',
      isScrollable(element) ? 'scrolls' : '',
      isDrawn && element.getClientRects().length > 0 ? '' : 'hidden',
      element instanceof HTMLElement && (element.offsetWidth === 0 || element.offsetHeight === 0)
        ? 'flat'
        : '',
      // Like no other.
      id && counts.get(id) !== 1 ? performance.now() + ' ' + duplicates++ : '',
    ].join()
  }
  const keys = new Map()
  const isHiddenPage = element =>
    element.matches('.page[role=tabpanel]') && !element.checkVisibility()
  /** The hash of the whole element; its key is made of that and of the ancestors. */
  const walk = (element, context) => {
    const own = hash(
      [element.tagName, ...[...element.attributes].map(attributeText), stateText(element)].join(' '),
    )
    const inner = hash(context + '>' + own)
    let content = '' + own
    for (let node = element.firstChild; node; node = node.nextSibling) {
      if (node instanceof Element) {
        content += isHiddenPage(node) ? '' : ',' + walk(node, inner)
      } else if (node instanceof Text && node.data.trim() !== '') {
        content += ',T'
      }
    }
    const whole = hash(content)
    keys.set(element, hash(context + ':' + whole))
    return whole
  }
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  const rootText = [...document.documentElement.attributes].map(attributeText).join(' ')
  walk(document.body, hash(innerWidth + ' ' + isDark + ' ' + rootText))
  const repeated = new Set()
  const hasText = element =>
    [...element.childNodes].some(node => node instanceof Text && node.data.trim() !== '')
  const collect = element => {
    if (element.matches(named) || namedRole.test(element.getAttribute('role') ?? '') || hasText(element))
      return
    for (const child of element.children) {
      const key = keys.get(child)
      if (key !== undefined && seen.has(key)) {
        repeated.add(child)
      } else if (key !== undefined) {
        collect(child)
      }
    }
  }
  collect(document.body)
  const keysWithout = uncertain => {
    const excluded = new Set()
    for (const element of uncertain) {
      for (let each = element; each; each = each.parentElement) {
        excluded.add(each)
      }
    }
    return [...keys]
      .filter(([element, key]) => !excluded.has(element) && !seen.has(key))
      .map(([, key]) => key)
  }
  return { repeated, keysWithout }
}`
