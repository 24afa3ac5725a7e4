import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { objectOf, objectsOf, textOf } from '#kit/contract/fixtures.ts'

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
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
const runAxe = `axe.run(${JSON.stringify({ resultTypes: ['violations'], rules: unreportedRules })})`

/** What axe finds serious or critical on a page, with the element and the reason. */
export async function findSeriousFaults(page: Page): Promise<string[]> {
  // It stays until the document goes: to read it again on every screen costs as much as a small screen.
  if (!(await page.evaluate(`typeof axe === 'object'`))) {
    await page.evaluate(axe.source)
  }
  const { violations } = await page.evaluate<{ readonly violations: readonly Violation[] }>(runAxe)
  return violations
    .filter(v => reportedImpacts.includes(v.impact))
    .flatMap(v => v.nodes.map(n => `${v.id}: ${n.html.slice(0, 160)} ${n.failureSummary.slice(0, 200)}`))
}
