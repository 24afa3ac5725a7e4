import type { BillRun } from '../contract/bill.ts'
import type { SkippedRelation } from './run-plan.ts'

export type SkipCounts = {
  reason: SkippedRelation['skip']['reason']
  count: number
  samples: NonNullable<BillRun['skips']>[number]['samples'][number][]
}[]

const maxSkipSamples = 50

/** Adds skipped relations to the counts by reason, with the first fifty of each as samples (GEN-6). */
export function countSkips(counts: SkipCounts, skipped: readonly SkippedRelation[]): void {
  for (const { billingRelation, charged, skip } of skipped) {
    let entry = counts.find(c => c.reason === skip.reason)
    if (!entry) {
      counts.push((entry = { reason: skip.reason, count: 0, samples: [] }))
    }
    entry.count++
    if (entry.samples.length < maxSkipSamples) {
      entry.samples.push({
        relationId: billingRelation.relation.id,
        sourceType: billingRelation.sourceType,
        sourceCode: billingRelation.sourceCode,
        sourceName: billingRelation.sourceName,
        itemName: charged.item.name,
        ...(skip.period ? { begin: skip.period.begin, end: skip.period.end } : {}),
        ...(skip.detail ? { detail: skip.detail } : {}),
      })
    }
  }
}
