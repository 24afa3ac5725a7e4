import { defined } from '#kit/domain/defined.ts'
import { Modal } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { today, dayOfPicker } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { rebuildDay, tillDays } from '../contract/till.ts'
import { menu } from '../module.ts'
import { ReportPage } from './report-page.tsx'
import { narrowRange, type DrilldownOrigin, type Drilldown } from './drilldown.ts'

const chargeSummaryPath = '/finance/reportCenter/financialManagement/chargesummary'
const toPayDays = (f: DrilldownOrigin): object => ({ payDayFrom: f.asked.dayFrom, payDayTo: f.asked.dayTo })

const recordDimensionFilters: Readonly<
  Record<string, (key: string, f: DrilldownOrigin) => object | undefined>
> = {
  day: (key, f) => narrowRange('payDay', toPayDays(f) as never, key),
  month: (key, f) => narrowRange('payDay', toPayDays(f) as never, key),
  cashier: key => ({ cashierId: [key] }),
  item: key => ({ feeItem: Number(key) }),
}

/**
 * Whole records stand behind a day, a cashier, an item; a way of paying is a part of a record and has none of
 * its own.
 */
const recordsDrilldown: Drilldown = {
  path: '/finance/chargemanage/paidbills',
  without: ['cash'],
  filter: f => {
    const { cashierId, feeItemId, buildCode, history, method, kind } = f.asked
    const more = f.row && f.by !== 'project' ? recordDimensionFilters[f.by]?.(defined(f.row.key), f) : {}
    if (!more || method || kind || (Array.isArray(feeItemId) && feeItemId.length > 1)) return undefined
    return {
      ...toPayDays(f),
      ...(cashierId ? { cashierId } : {}),
      ...(buildCode ? { buildCode } : {}),
      ...(history === undefined ? {} : { isHistory: history }),
      ...(Array.isArray(feeItemId) ? { feeItem: Number(feeItemId[0]) } : {}),
      state: ['normal', 'partRefunded', 'refunded'],
      ...more,
    }
  },
  figures: {
    offset: { offset: true },
    prestoreIn: { recordType: ['prestore', 'payment'] },
    prestoreOut: { recordType: ['prestore'] },
    depositIn: { recordType: ['deposit'] },
    depositOut: { recordType: ['deposit'] },
  },
}

/** Of an item only a part of each record was paid by prestore: the sum of whole records is another. */
const selectRecordsDrilldown = (figure: string, f: DrilldownOrigin): Drilldown | undefined =>
  figure === 'offset' && ((f.row && f.by === 'item') || Array.isArray(f.asked.feeItemId))
    ? undefined
    : recordsDrilldown

function RebuildDialog({ project, onClose }: { readonly project: string; readonly onClose: () => void }) {
  const [day, setDay] = useState(today())
  const [busy, setBusy] = useState(false)
  const go = async (): Promise<void> => {
    setBusy(true)
    try {
      const d = await sendAndInvalidate(rebuildDay, { projectCode: project, day })
      toastResult(
        d,
        `${day} 已重算：收 ${displayYuan(d.received)}，退 ${displayYuan(d.refunded)}，净额 ${displayYuan(d.net)}`,
      )
      onClose()
    } catch {
      /* told in a toast */
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title="重算收费日汇总"
      width={440}
      okText="重算"
      cancelText="取消"
      okButtonProps={{ loading: busy }}
      onCancel={onClose}
      onOk={() => void go()}
    >
      <p>按当天的收款记录重新汇总，记录本身不变；已日结的日期不能重算。</p>
      <DatePicker
        aria-label="日期"
        allowClear={false}
        value={dayjs(day)}
        maxDate={dayjs(today())}
        onChange={d => d && setDay(dayOfPicker(d))}
      />
    </Modal>
  )
}

/** 收费汇总表 (CLO-1): days and months of the tills. */
export default function ChargeSummaryPage() {
  const project = useProject()
  const [rebuilding, setRebuilding] = useState(false)
  return (
    <>
      <ReportPage
        of={tillDays}
        path={chargeSummaryPath}
        span="day"
        bar={['day', 'method', 'kind', 'cashierId']}
        above={['received', 'refunded', 'net', 'cash']}
        drilldowns={selectRecordsDrilldown}
        entries={[
          'count',
          'received',
          'refunded',
          'net',
          { key: 'offset', hidePriority: 2 },
          'cash',
          { key: 'prestoreIn', hidePriority: 1 },
          { key: 'prestoreOut', hidePriority: 2 },
          { key: 'depositIn', hidePriority: 1 },
          { key: 'depositOut', hidePriority: 2 },
        ]}
        tools={[
          {
            label: '重算',
            needs: menu.till.permissions.rebuild,
            disabledReason: project ? undefined : '请先选择一个项目',
            run: () => setRebuilding(true),
          },
        ]}
      />
      {rebuilding && project && <RebuildDialog project={project} onClose={() => setRebuilding(false)} />}
    </>
  )
}
