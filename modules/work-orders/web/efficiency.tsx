import { Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { buildColumns, withoutSorting, type ColumnSpec } from '#kit/web/columns.tsx'
import { toFixed } from '#kit/domain/decimal.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { BlankValue } from '#kit/web/numbers.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { efficiencyBy, getDealEfficiency } from '../contract/statistics.ts'
import { figurePath, type Cohort } from './cohort.ts'

type Row = NonNullable<typeof getDealEfficiency.output.T>[number]
type Counted = 'total' | 'accepted' | 'finished' | 'respOvertime' | 'finishOvertime' | 'rework'

/** A number that opens the orders that it counts. */
const counted = (key: Counted): ColumnSpec<Row> => ({
  key,
  width: 84,
  align: 'right',
  render: row => {
    const query = row.queries.find(q => q.figure === key)?.query
    return row[key] && query ? <Link to={figurePath(query)}>{row[key]}</Link> : row[key]
  },
  text: row => String(row[key]),
})

/** An average with the decimals of its column; nothing where there is nothing to average. */
const averaged = (
  key: 'responseMinutes' | 'finishMinutes' | 'score',
  scale: number,
  hidePriority?: number,
): ColumnSpec<Row> => {
  const text = ({ [key]: value }: Row): string => (value === undefined ? '' : toFixed(value, scale))
  return {
    key,
    align: 'right',
    render: row => text(row) || <BlankValue />,
    text,
    ...(hidePriority === undefined ? {} : { hidePriority }),
  }
}

const columns = buildColumns(getDealEfficiency.output, [
  { key: 'name', identity: true, width: 140, grow: 1 },
  counted('total'),
  counted('accepted'),
  counted('finished'),
  counted('respOvertime'),
  counted('finishOvertime'),
  counted('rework'),
  averaged('responseMinutes', 1, 1),
  averaged('finishMinutes', 1, 1),
  averaged('score', 2),
]).map(withoutSorting)

const options = Object.entries(efficiencyBy.rows).map(([value, [, label]]) => ({ value, label }))
const isGrouping = (value: string): value is ChoiceOf<typeof efficiencyBy> =>
  Object.hasOwn(efficiencyBy.rows, value)

const rowHeight = 36
const maxHeight = 480

/** 处理效率, by person, type or project. */
export function Efficiency({ cohort }: { readonly cohort: Cohort }) {
  const [by, setBy] = useState<ChoiceOf<typeof efficiencyBy>>('handler')
  const rows = useCall(getDealEfficiency, { ...cohort, by }, { quiet: true, keepPrevious: true })
  return (
    <section>
      <h3>
        处理效率
        <Segmented
          options={options}
          value={by}
          onChange={value => {
            if (isGrouping(value)) {
              setBy(value)
            }
          }}
        />
      </h3>
      <Loaded query={rows} height={240} rows={5} keepsAnswer>
        {answer =>
          answer.length ? (
            <div
              className="efficiency"
              style={{ height: Math.min(maxHeight, (answer.length + 1) * rowHeight + 12) }}
            >
              <DataTable rows={answer} columns={columns} keyOf={row => row.key} label="处理效率" dense />
            </div>
          ) : (
            <Empty text="该期间暂无工单" />
          )
        }
      </Loaded>
    </section>
  )
}
