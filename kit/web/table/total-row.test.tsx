import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { money, text } from '#kit/contract/field.ts'
import { pageOfRows } from '#kit/contract/shape.ts'
import { measureText } from '../cell-renderers.tsx'
import { buildColumns } from '../columns.tsx'
import { cellPadding, measureColumns } from './column-layout.ts'
import type { TotalLine } from './table-types.ts'
import { fittingSize, TotalRow } from './total-row.tsx'

const columns = buildColumns(pageOfRows({ name: text('名称'), amount: money('金额') }), ['name', 'amount'])
const draw = (total: TotalLine): string =>
  renderToStaticMarkup(
    <table>
      <tfoot>
        <TotalRow
          total={total}
          layout={{
            columns: columns.map(column => ({ column, width: 100 })),
            total: 200,
            overflows: false,
            hiddenKeys: [],
          }}
          hasSelection={false}
          hasActions={false}
          bottom={0}
        />
      </tfoot>
    </table>,
  )

it('a column has room for a sum before the sum is there', () => {
  const sum = '1,284,630,520.52'
  const minWidths = measureColumns(columns, new Map(), [], new Map(), { amount: measureText(sum, true) })
  expect(minWidths.get('amount')).toBe(measureText(sum, true) + cellPadding)
  expect(fittingSize(sum, minWidths.get('amount') ?? 0)).toBeUndefined()
})

it('a sum that comes late and needs more room is drawn smaller, and moves no column', () => {
  expect(fittingSize('1,284,630,520.52', 84)).toBe(7)
  expect(draw({ label: '全部', cells: { amount: '1,284,630,520.52' }, isLate: true })).toContain('font-size:')
  expect(draw({ label: '全部', cells: { amount: '1,284.52' }, isLate: true })).not.toContain('font-size:')
})

it('a sum that is still being added up has its place, and no figure', () => {
  const pending = draw({
    label: '全部',
    cells: { amount: '12.00' },
    isLate: true,
    pendingWidths: { amount: 64 },
  })
  expect(pending).toContain('inline-size:64px')
  expect(pending).toContain('aria-busy="true"')
  expect(pending).not.toContain('12.00')
})
