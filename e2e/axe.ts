import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { findSeenMarkup } from './seen-markup.ts'
import { objectOf, objectsOf, textOf } from '#kit/contract/fixtures.ts'

interface BarrierCheck {
  readonly faults: readonly {
    readonly id: string
    readonly html: string | null
    readonly failureSummary: string
  }[]
  /** Of the markup in which nothing was found, and that was not known before. */
  readonly newKeys: readonly number[]
}

const reportedImpacts: readonly string[] = ['serious', 'critical']

/**
 * Rules whose findings are never serious or critical: each finding has the impact of its rule. What they say
 * is not reported, and one of them (`region`) looks at every element.
 */
const unreportedRules = Object.fromEntries(
  objectsOf(objectOf(Reflect.get(axe, '_audit')).rules)
    .filter(rule => !reportedImpacts.includes(textOf(rule.impact)))
    .map(rule => [textOf(rule.id), { enabled: false }]),
)

const resultTypes = ['violations', 'incomplete']
const runOptions = { resultTypes, rules: unreportedRules, elementRef: true }

/**
 * Most of a screen is the shell, the list and the rows of the one before it: a part that looks as one in
 * which nothing was found is left out. Not what axe could not tell the contrast of, as of a text under
 * another element.
 */
const seenKeys = new Set<number>()

/**
 * The other open pages stay mounted, hidden, and axe reads the styles of all that they hold though it reports
 * nothing of it: while it runs they are empty to it, as what is repeated is not there. Ids are compared with
 * the whole document all the same. What is found is looked for once more in everything.
 *
 * It writes the markup and a selector of all elements that it looks at, of those in order as well: they are
 * written once something is found, in a further run.
 */
const runAxe = `(async () => {
  const { repeated, keysWithout } = findSeenMarkup(seenMarkup)
  const { createTreeWalker, querySelectorAll } = document
  const hidden = [...document.querySelectorAll('.page[role=tabpanel]')]
    .filter(page => !page.checkVisibility())
    .flatMap(page => [...page.childNodes])
  const runWithout = async (excluded, isDetailed) => {
    const isIncluded = node => !excluded.has(node)
    const parents = new Set([...excluded].map(node => node.parentNode))
    for (const parent of parents) {
      for (const key of ['childNodes', 'children']) {
        Object.defineProperty(parent, key, { value: [...parent[key]].filter(isIncluded), configurable: true })
      }
    }
    document.createTreeWalker = (from, shown) =>
      createTreeWalker.call(document, from, shown, node =>
        isIncluded(node) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT,
      )
    // Of all elements it makes an index for selectors.
    document.querySelectorAll = selector =>
      selector === '*' && !isDetailed ? [] : querySelectorAll.call(document, selector)
    axe._audit.noHtml = !isDetailed
    try {
      const { violations, incomplete } = await axe.run({ ...${JSON.stringify(runOptions)}, selectors: isDetailed })
      return {
        faults: violations
          .filter(v => ${JSON.stringify(reportedImpacts)}.includes(v.impact))
          .flatMap(({ id, nodes }) =>
            nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })),
          ),
        uncertain: incomplete
          .filter(v => v.id === 'color-contrast')
          .flatMap(v => v.nodes.map(node => node.element)),
      }
    } finally {
      delete document.createTreeWalker
      delete document.querySelectorAll
      parents.forEach(parent => {
        delete parent.childNodes
        delete parent.children
      })
    }
  }
  const first = await runWithout(new Set([...hidden, ...repeated]), false)
  if (first.faults.length === 0) {
    const newKeys = keysWithout(first.uncertain)
    newKeys.forEach(key => seenMarkup.add(key))
    return { faults: [], newKeys }
  }
  const { faults } = repeated.size > 0 ? await runWithout(new Set(hidden), false) : first
  if (faults.length === 0) return { faults, newKeys: [] }
  const detailed = await runWithout(new Set(hidden), true)
  return { faults: detailed.faults.length > 0 ? detailed.faults : faults, newKeys: [] }
})()`

/** What axe finds serious or critical on a page, with the element and the reason. */
export async function findSeriousFaults(page: Page): Promise<string[]> {
  // It stays until the document goes: to read it again on every screen costs as much as a small screen.
  if (!(await page.evaluate(`typeof axe === 'object'`))) {
    await page.evaluate(axe.source)
    await page.evaluate(`
      globalThis.findSeenMarkup = ${findSeenMarkup}
      globalThis.seenMarkup = new Set(${JSON.stringify([...seenKeys])})
    `)
  }
  const { faults, newKeys } = await page.evaluate<BarrierCheck>(runAxe)
  for (const key of newKeys) {
    seenKeys.add(key)
  }
  return faults.map(
    ({ id, html, failureSummary }) => `${id}: ${html?.slice(0, 160) ?? ''} ${failureSummary.slice(0, 200)}`,
  )
}
