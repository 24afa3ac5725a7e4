import dayjs from 'dayjs'
import { useState } from 'react'
import { keyRef, labelOf, ref, type Field } from '#kit/contract/field.ts'
import { monthOf } from '#kit/domain/month.ts'
import { act, tellDone, withReason } from '#kit/web/acts.ts'
import { DatePicker } from '#kit/web/calendar.tsx'
import { columns } from '#kit/web/columns.tsx'
import type { Control } from '#kit/web/controls/kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { Share } from '#kit/web/figure.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import { today } from '#kit/web/when.ts'
import { inUse } from '#modules/estates/contract/estate.ts'
import { unreadReason } from '../contract/choices.ts'
import { meterPlan, type MeterPlan } from '../contract/meter.ts'
import {
  addPlan,
  deletePlans,
  editPlan,
  listPlans,
  listUnread,
  onePlan,
  sayUnread,
} from '../contract/plan.ts'
import { menu } from '../module.ts'
import './meters.css'

const remove = withReason<MeterPlan>(deletePlans, {
  what: '个抄表计划',
  name: p => p.name,
  follows: ['已录入的读数不受影响'],
  presets: ['不再使用', '录入有误'],
})

const share = (p: MeterPlan): number => (p.total ? Math.floor(((p.read ?? 0) / p.total) * 100) : 0)

const shown = columns(listPlans.output, [
  { key: 'name', identity: true, grow: 1 },
  {
    key: 'meterKind',
    render: p => (p.meterKind ? labelOf(meterPlan.fields.meterKind.choices!, p.meterKind) : '全部'),
    text: p => p.meterKind ?? '全部',
  },
  {
    key: 'readDay',
    width: 96,
    fit: false,
    align: 'left',
    render: p => `每月 ${p.readDay} 日`,
    text: p => `每月 ${p.readDay} 日`,
  },
  {
    key: 'windowDays',
    title: '持续',
    render: p => `${p.windowDays} 天`,
    text: p => `${p.windowDays} 天`,
    drop: 2,
  },
  { key: 'strict', drop: 1 },
  {
    key: 'progress',
    title: '本月进度',
    width: 220,
    align: 'left',
    render: p => (
      <span className="meter-progress">
        <Share percent={share(p)} label="本月进度" /> {p.read ?? 0} / {p.total ?? 0}
      </span>
    ),
    text: p => `${p.read}/${p.total}`,
  },
  { key: 'beginMonth', drop: 2 },
  { key: 'endMonth', drop: 3 },
  'state',
])

const many =
  (label: string, field: Field): Control =>
  p => (
    <RefSelect
      field={field}
      id={p.id}
      many
      value={p.value}
      given={p.given}
      disabled={p.disabled}
      onChange={p.onChange}
      onBlur={p.onBlur}
      describedBy={p.describedBy}
      placeholder={label}
    />
  )

const Buildings = many('整个项目', keyRef('楼栋', 'building'))
const Readers = many('选择抄表员', ref('抄表员', 'manager'))

const groups = [
  {
    keys: [
      'name',
      'meterKind',
      { key: 'readDay', help: '1–31；短月取最后一天' },
      'windowDays',
      { key: 'buildCodes', control: Buildings, wide: true },
      { key: 'readerIds', control: Readers, wide: true },
      'beginMonth',
      'endMonth',
      { key: 'strict', help: '开启后抄表期以外不能录入' },
      'state',
      { key: 'remark', wide: true },
    ],
  },
]

const kinds = Object.keys(unreadReason.rows).map(k => ({
  value: k as keyof typeof unreadReason.rows,
  label: labelOf(unreadReason, k),
}))

type Left = NonNullable<typeof listUnread.output.T>['rows'][number]

const leftShown = columns(listUnread.output, [
  'sourceName',
  { key: 'meterNo', width: 140 },
  'meterKind',
  { key: 'location', drop: 1 },
  { key: 'unread', title: '未抄原因' },
  { key: 'remark', grow: 1 },
])

/** Who is left of a plan in a month, and why. */
function NotRead({ of }: { readonly of: MeterPlan }) {
  const [month, setMonth] = useState(monthOf(today()))
  const say = async (
    rows: readonly Left[],
    unread: keyof typeof unreadReason.rows | undefined,
  ): Promise<boolean> => {
    tellDone(
      await act(sayUnread, {
        meterIds: rows.map(r => String(r.id)),
        month,
        ...(unread ? { unread } : {}),
      } as never),
      '已登记',
    )
    return true
  }
  return (
    <>
      <div className="meter-unread-reason">
        <DatePicker
          picker="month"
          allowClear={false}
          aria-label="月份"
          value={dayjs(`${month}-01`)}
          onChange={d => {
            if (d) {
              setMonth(d.format('YYYY-MM'))
            }
          }}
        />
        <span>这个月还没有读数的仪表</span>
      </div>
      <ListPage
        list={listUnread as never}
        what="未抄的仪表"
        columns={leftShown as never}
        fixed={{ planId: of.id, month } as never}
        filters={[]}
        embedded
        size={12}
        name="meters/unread"
        keyOf={r => (r as Left).id}
        row={r =>
          kinds.map(k => ({
            label: `未抄：${k.label}`,
            may: menu.reading.may.add,
            run: () => say([r as Left], k.value),
          }))
        }
        batch={kinds.map(k => ({
          label: `未抄：${k.label}`,
          may: menu.reading.may.add,
          run: t => say(t.rows as never, k.value),
        }))}
      />
    </>
  )
}

/** 抄表计划: when which meters are read and how far the month is (MTR-16). */
export default function PlansPage() {
  const [month, setMonth] = useState(monthOf(today()))
  const form = useEdit({
    what: '抄表计划',
    add: addPlan,
    edit: editPlan,
    one: onePlan,
    name: (p: MeterPlan) => p.name,
    groups,
    initial: {
      readDay: 25,
      windowDays: 5,
      strict: false,
      state: 'on',
      beginMonth: monthOf(today()),
    } as never,
    as: 'drawer',
  })
  return (
    <>
      <ListPage
        list={listPlans}
        what="抄表计划"
        columns={shown}
        filters={['meterKind', 'state']}
        bar={['meterKind']}
        fixed={{ progressMonth: month } as never}
        primary={form.add}
        row={p => [form.edit(p), remove.row(p)]}
        batch={[remove.batch]}
        dim={p => p.state === 'off'}
        above={
          <div className="meter-unread-reason">
            进度月份{' '}
            <DatePicker
              picker="month"
              allowClear={false}
              aria-label="进度月份"
              value={dayjs(`${month}-01`)}
              onChange={d => {
                if (d) {
                  setMonth(d.format('YYYY-MM'))
                }
              }}
            />
          </div>
        }
        drawer={{
          title: p => p.name,
          width: 880,
          status: p => <Choice of={inUse} value={p.state} />,
          history: meterPlan.name,
          verbs: p => [form.edit(p), remove.row(p)],
          groups: [
            {
              keys: [
                'name',
                'meterKind',
                'readDay',
                'windowDays',
                'strict',
                'beginMonth',
                'endMonth',
                'total',
                'read',
                'remark',
              ],
            },
          ],
          tabs: [
            {
              key: 'left',
              label: p => `未抄 ${(p.total ?? 0) - (p.read ?? 0)}`,
              body: p => <NotRead of={p} />,
            },
          ],
        }}
      />
      {form.dialog}
    </>
  )
}
