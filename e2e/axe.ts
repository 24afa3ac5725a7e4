import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { objectOf, objectsOf, textOf } from '#kit/contract/fixtures.ts'

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string | null; readonly failureSummary: string }[]
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

const runOptions = { resultTypes: ['violations'], rules: unreportedRules }

/**
 * The other open pages stay mounted, hidden, and axe reads the styles of all that they hold though it reports
 * nothing of it: while it runs they are empty to it. Ids are compared with the whole document all the same.
 *
 * It writes the markup and a selector of all elements that it looks at, of those in order as well: they are
 * written once something is found, in a second run.
 */
const runAxe = `(async () => {
  const isHiddenPage = element => element?.matches('.page[role=tabpanel]') && !element.checkVisibility()
  const hiddenPages = new Set([...document.querySelectorAll('.page')].filter(isHiddenPage))
  const { createTreeWalker } = document
  for (const page of hiddenPages) {
    Object.defineProperty(page, 'childNodes', { value: [], configurable: true })
  }
  document.createTreeWalker = (from, shown) =>
    createTreeWalker.call(document, from, shown, element =>
      hiddenPages.has(element.parentNode) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    )
  const run = async isDetailed => {
    axe._audit.noHtml = !isDetailed
    const { violations } = await axe.run({ ...${JSON.stringify(runOptions)}, selectors: isDetailed })
    return violations.filter(v => ${JSON.stringify(reportedImpacts)}.includes(v.impact))
  }
  try {
    const found = await run(false)
    if (found.length === 0) return []
    const detailed = await run(true)
    return detailed.length > 0 ? detailed : found
  } finally {
    delete document.createTreeWalker
    hiddenPages.forEach(page => delete page.childNodes)
  }
})()`

/** What axe finds serious or critical on a page, with the element and the reason. */
export async function findSeriousFaults(page: Page): Promise<string[]> {
  // It stays until the document goes: to read it again on every screen costs as much as a small screen.
  if (!(await page.evaluate(`typeof axe === 'object'`))) {
    await page.evaluate(axe.source)
  }
  const violations = await page.evaluate<readonly Violation[]>(runAxe)
  return violations.flatMap(v =>
    v.nodes.map(n => `${v.id}: ${n.html?.slice(0, 160) ?? ''} ${n.failureSummary.slice(0, 200)}`),
  )
}
