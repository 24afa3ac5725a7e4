import { Button, Segmented } from 'antd'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { addDays, firstOfMonth, lastOfMonth } from '#kit/domain/day.ts'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { monthSoFar, useAddressSpan } from '#kit/web/address-span.ts'
import { useAddressValue } from '#kit/web/address-value.ts'
import { buildColumns, withoutSorting, type Column } from '#kit/web/columns.tsx'
import { readChoice } from '#kit/web/controls/read-value.ts'
import { today } from '#kit/web/date-format.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { SpanBar } from '#kit/web/span-bar.tsx'
import { exportWorkRates, listWorkRates, rateKey } from '../contract/overview.ts'
import { recordsLink, tasksLink, type RateFilter, type RateGroup, type RateRow } from './figure-links.ts'
import { KindFilter, useAddressKinds } from './kind-filter.tsx'
import './planned-work.css'

type LinkOf = (row: RateRow) => string

const nameTitles: Readonly<Record<RateGroup, string>> = {
  day: '日期',
  staff: '人员',
  plan: '计划',
  target: '对象',
  subject: '工作内容',
}

const figureKeys = [
  'tasks',
  'done',
  'partial',
  'missedTasks',
  'due',
  'normal',
  'early',
  'late',
  'disorder',
  'missed',
  'abnormal',
] as const

/** The list behind each figure: of the tasks in a state, or of their items with a result. */
const linksOf = (
  filter: RateFilter,
  by: RateGroup,
): Readonly<Record<(typeof figureKeys)[number], LinkOf>> => {
  const tasks =
    (more: object = {}): LinkOf =>
    row =>
      tasksLink(filter, by, row, more)
  const records =
    (more: object = {}): LinkOf =>
    row =>
      recordsLink(filter, by, row, more)
  return {
    tasks: tasks(),
    done: tasks({ state: ['done'] }),
    partial: tasks({ state: ['partial'] }),
    missedTasks: tasks({ state: ['missed'] }),
    due: records(),
    normal: records({ result: ['normal'] }),
    early: records({ result: ['early'] }),
    late: records({ result: ['late'] }),
    disorder: records({ result: ['disorder'] }),
    missed: records({ result: ['missed'] }),
    abnormal: records({ isAbnormal: true }),
  }
}

const hasKind = (by: RateGroup): boolean => by === 'plan' || by === 'target' || by === 'subject'

function columnsOf(filter: RateFilter, by: RateGroup): Column<RateRow>[] {
  const links = linksOf(filter, by)
  return buildColumns(listWorkRates.output, [
    { key: 'name', title: nameTitles[by], identity: true, grow: 1, width: 120 },
    ...(hasKind(by) ? (['kind'] as const) : []),
    ...figureKeys.map(key => ({
      key,
      width: 58,
      render: (row: RateRow) => (row[key] ? <Link to={links[key](row)}>{row[key]}</Link> : 0),
    })),
    ...(['signedRate', 'punctualRate', 'missedRate', 'score'] as const).map(key => ({
      key,
      align: 'right' as const,
      width: 78,
    })),
  ]).map(withoutSorting)
}

/** 任务统计: what came of planned work of all kinds, by day, person, plan, object and content (PAT-9). */
export default function FiguresPage() {
  const thisMonth = { from: firstOfMonth(today()), to: today() }
  const [span, setSpan] = useAddressSpan(monthSoFar())
  const [kinds, setKinds] = useAddressKinds()
  const [chosen, setChosen] = useAddressValue('by', { without: 'page' })
  const by = readChoice(rateKey, chosen) ?? 'day'
  const kindText = kinds.join()
  const columns = useMemo(() => columnsOf({ ...span, kinds }, by), [span.from, span.to, kindText, by])
  const endOfLast = addDays(thisMonth.from, -1)
  return (
    <ListPage
      list={listWorkRates}
      itemName="任务统计"
      settingsKey={`planned-work/rates/${by}`}
      columns={columns}
      keyOf={row => row.key}
      filters={[]}
      fixedFilter={{ ...span, by, ...(kinds.length ? { kinds } : {}) }}
      export={exportWorkRates}
      belowToolbar={
        <SpanBar span={span} onChange={setSpan}>
          <Button onClick={() => setSpan({ from: thisMonth.from, to: lastOfMonth(today()) })}>本月</Button>
          <Button onClick={() => setSpan({ from: firstOfMonth(endOfLast), to: endOfLast })}>上月</Button>
          <KindFilter value={kinds} onChange={setKinds} />
          <Segmented
            value={by}
            options={keysOf(rateKey).map(value => ({ value, label: labelOf(rateKey, value) }))}
            onChange={value => setChosen(value)}
          />
        </SpanBar>
      }
    />
  )
}
