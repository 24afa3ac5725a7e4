import { defined } from '#kit/domain/defined.ts'
import dayjs from 'dayjs'
import { useState } from 'react'
import { keyRef, labelOf, ref, type Field, keysOf } from '#kit/contract/field.ts'
import { monthOf } from '#kit/domain/month.ts'
import { sendAndInvalidate, toastResult, createReasonAction } from '#kit/web/record-actions.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { PercentBar } from '#kit/web/numbers.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import type { BatchAction } from '#kit/web/list/batch-bar.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { today, monthOfPicker } from '#kit/web/date-format.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { unreadReason } from '../contract/choices.ts'
import { meterPlan, type MeterPlan } from '../contract/meter.ts'
import {
  addPlan,
  deletePlans,
  editPlan,
  listPlans,
  listUnread,
  getPlan,
  setUnreadReason,
} from '../contract/plan.ts'
import { menu } from '../module.ts'
import './meters.css'

const deleteAction = createReasonAction<MeterPlan>(deletePlans, {
  unit: '个抄表计划',
  nameOf: p => p.name,
  consequences: ['已录入的读数不受影响'],
  reasonPresets: ['不再使用', '录入有误'],
})

const progressPercent = (p: MeterPlan): number => (p.total ? Math.floor(((p.read ?? 0) / p.total) * 100) : 0)

const listColumns = buildColumns(listPlans.output, [
  { key: 'name', identity: true, grow: 1 },
  {
    key: 'meterKind',
    render: p => (p.meterKind ? labelOf(defined(meterPlan.fields.meterKind.choices), p.meterKind) : '全部'),
    text: p => p.meterKind ?? '全部',
  },
  {
    key: 'readDay',
    width: 96,
    fitContent: false,
    align: 'left',
    render: p => `每月 ${p.readDay} 日`,
    text: p => `每月 ${p.readDay} 日`,
  },
  {
    key: 'windowDays',
    title: '持续',
    render: p => `${p.windowDays} 天`,
    text: p => `${p.windowDays} 天`,
    hidePriority: 2,
  },
  { key: 'strict', hidePriority: 1 },
  {
    key: 'progress',
    title: '本月进度',
    width: 220,
    align: 'left',
    render: p => (
      <span className="meter-progress">
        <PercentBar percent={progressPercent(p)} label="本月进度" /> {p.read ?? 0} / {p.total ?? 0}
      </span>
    ),
    text: p => `${p.read}/${p.total}`,
  },
  { key: 'beginMonth', hidePriority: 2 },
  { key: 'endMonth', hidePriority: 3 },
  'state',
])

const createMultiRefControl =
  (label: string, field: Field): Control =>
  props => (
    <RefSelect
      field={field}
      id={props.id}
      multiple
      value={props.value}
      formValues={props.formValues}
      disabled={props.disabled}
      onChange={props.onChange}
      onBlur={props.onBlur}
      describedBy={props.describedBy}
      placeholder={label}
    />
  )

const BuildingsControl = createMultiRefControl('整个项目', keyRef('楼栋', 'building'))
const ReadersControl = createMultiRefControl('选择抄表员', ref('抄表员', 'manager'))

const formGroups = [
  {
    keys: [
      'name',
      'meterKind',
      { key: 'readDay', help: '1–31；短月取最后一天' },
      'windowDays',
      { key: 'buildCodes', control: BuildingsControl },
      { key: 'readerIds', control: ReadersControl },
      'beginMonth',
      'endMonth',
      { key: 'strict', help: '开启后非抄表期不能录入' },
      'state',
      'remark',
    ],
  },
]

const unreadReasonOptions = keysOf(unreadReason).map(k => ({ value: k, label: labelOf(unreadReason, k) }))

type UnreadMeter = NonNullable<typeof listUnread.output.T>['rows'][number]

const unreadColumns = buildColumns(listUnread.output, [
  'sourceName',
  { key: 'meterNo', width: 140 },
  'meterKind',
  { key: 'location', hidePriority: 1 },
  'unread',
  { key: 'remark', grow: 1 },
])

/** Who is left of a plan in a month, and why. */
function UnreadList({ of }: { readonly of: MeterPlan }) {
  const [month, setMonth] = useState(monthOf(today()))
  const saveReason = async (
    rows: readonly UnreadMeter[],
    unread: keyof typeof unreadReason.rows | undefined,
  ): Promise<boolean> => {
    toastResult(
      await sendAndInvalidate(setUnreadReason, {
        meterIds: rows.map(r => String(r.id)),
        month,
        ...(unread ? { unread } : {}),
      }),
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
              setMonth(monthOfPicker(d))
            }
          }}
        />
        <span>当月未抄表的仪表</span>
      </div>
      <ListPage
        list={listUnread}
        itemName="未抄的仪表"
        columns={unreadColumns}
        fixedFilter={{ planId: of.id, month }}
        filters={[]}
        embedded
        pageSize={12}
        settingsKey="meters/unread"
        keyOf={r => r.id}
        rowActions={row =>
          unreadReasonOptions.map(k => ({
            label: `未抄：${k.label}`,
            needs: menu.reading.permissions.add,
            run: () => saveReason([row], k.value),
          }))
        }
        batchActions={unreadReasonOptions.map((k): BatchAction<UnreadMeter> => ({
          label: `未抄：${k.label}`,
          needs: menu.reading.permissions.add,
          run: t => saveReason(t.rows, k.value),
        }))}
      />
    </>
  )
}

/** 抄表计划: when which meters are read and how far the month is (MTR-16). */
export default function PlansPage() {
  const [month, setMonth] = useState(monthOf(today()))
  const form = useEdit({
    itemName: '抄表计划',
    add: addPlan,
    edit: editPlan,
    load: getPlan,
    nameOf: (p: MeterPlan) => p.name,
    groups: formGroups,
    initial: {
      readDay: 25,
      windowDays: 5,
      strict: false,
      state: 'on',
      beginMonth: monthOf(today()),
    },
    presentation: 'drawer',
  })
  return (
    <>
      <ListPage
        list={listPlans}
        itemName="抄表计划"
        columns={listColumns}
        filters={['meterKind', 'state']}
        barFilters={['meterKind']}
        fixedFilter={{ progressMonth: month }}
        primaryAction={form.addAction}
        rowActions={p => [form.editAction(p), deleteAction.row(p)]}
        batchActions={[deleteAction.batch]}
        isDimmed={p => p.state === 'off'}
        belowToolbar={
          <div className="meter-unread-reason">
            进度月份{' '}
            <DatePicker
              picker="month"
              allowClear={false}
              aria-label="进度月份"
              value={dayjs(`${month}-01`)}
              onChange={d => {
                if (d) {
                  setMonth(monthOfPicker(d))
                }
              }}
            />
          </div>
        }
        drawer={{
          title: p => p.name,
          width: 880,
          status: p => <ChoiceStatus choices={enabledState} value={p.state} />,
          historyEntity: meterPlan.name,
          actions: p => [form.editAction(p), deleteAction.row(p)],
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
              body: p => <UnreadList of={p} />,
            },
          ],
        }}
      />
      {form.dialog}
    </>
  )
}
