import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { text } from '#kit/contract/field.ts'
import { pageOfRows } from '#kit/contract/shape.ts'
import { buildColumns, type Column } from '../columns.tsx'
import { TableRow } from './table-row.tsx'

interface NamedRow {
  readonly name?: string
}

const labelOfCheckbox = (row: NamedRow): string | undefined => {
  const columns: Column<NamedRow>[] = buildColumns(pageOfRows({ name: text('名称') }), [
    { key: 'name', identity: true },
  ])
  const drawn = renderToStaticMarkup(
    <table>
      <tbody>
        <TableRow
          row={row}
          index={2}
          layout={{
            columns: columns.map(column => ({ column, width: 100 })),
            total: 100,
            overflows: false,
            hiddenKeys: [],
          }}
          selected={false}
          disabledReason={undefined}
          current={false}
          opened={false}
          dim={false}
          struck={false}
          link={false}
          actions={undefined}
        />
      </tbody>
    </table>,
  )
  return /aria-label="([^"]*)"/.exec(drawn)?.[1]
}

it('the checkbox of a row is called by what names its record', () => {
  expect(labelOfCheckbox({ name: '合同.pdf' })).toBe('选择「合同.pdf」')
  expect(labelOfCheckbox({})).toBe('选择第 3 行')
})
