import { expect, it } from 'vitest'
import { meterScopeRefusal } from './meter-scope.ts'

it('MTR-9: readings are billed by month, by reading or by meter; a request that names none is refused', () => {
  expect([
    meterScopeRefusal({ month: '2026-11' }),
    meterScopeRefusal({ readingIds: [1] }),
    meterScopeRefusal({ meterIds: [1] }),
    meterScopeRefusal({ month: '2026-11', readingIds: [], meterIds: [1] }),
  ]).toEqual([undefined, undefined, undefined, undefined])
  const refusal = '请指定要出账的范围：月份、抄表记录或仪表'
  expect([meterScopeRefusal({}), meterScopeRefusal({ month: '', readingIds: [], meterIds: [] })]).toEqual([
    refusal,
    refusal,
  ])
})
