import { expect, it } from 'vitest'
import { planCluster, type Measured } from './capacity.ts'

const measured: Measured = {
  bytesPerBill: 3500,
  paymentCpuMs: 8,
  readCpuMs: 4,
}

it('leaves a small installation on one node', () => {
  expect(planCluster({ companies: 10, bills: 1e7 }, measured)).toMatchObject({
    workers: 0,
    limit: '一台足够',
  })
})

it('takes more workers for more bills, and never more than there are companies', () => {
  const counts = [1e9, 3e9, 1e10].map(bills => planCluster({ companies: 10_000, bills }, measured).workers)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  expect(counts[2]).toBeGreaterThan(counts[0] ?? 0)
  expect(planCluster({ companies: 3, bills: 1e10 }, measured).workers).toBe(3)
})
