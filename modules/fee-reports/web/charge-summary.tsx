import { asDay } from '#kit/domain/day.ts'
import { Modal } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { today } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { rebuildDay, dailyCollections } from '../contract/daily-collection.ts'
import { menu } from '../module.ts'
import { ReportPage } from './report-page.tsx'
import { rowFilter, type DimensionFilters } from './drilldown-filter.ts'
import { narrowRange, type DrilldownOrigin, type Drilldown, type Filter } from './drilldown.ts'
import { paths } from './paths.ts'

const toPayDays = ({ query }: DrilldownOrigin): Filter => ({
  payDayFrom: query.dayFrom,
  payDayTo: query.dayTo,
})

const recordDimensionFilters: DimensionFilters = {
  day: (key, origin) => narrowRange('payDay', toPayDays(origin), key),
  month: (key, origin) => narrowRange('payDay', toPayDays(origin), key),
  cashier: key => ({ cashierId: [key] }),
  item: key => ({ feeItem: Number(key) }),
}

/** Behind a day, a cashier or an item are whole records; a way of paying is only a part of a record. */
const recordsDrilldown: Drilldown = {
  path: paths.records,
  excludedFigures: ['settled'],
  filter: origin => {
    const { cashierId, feeItemId, buildCode, history, method, kind } = origin.query
    const filter = rowFilter(recordDimensionFilters, origin)
    if (!filter || method || kind || (Array.isArray(feeItemId) && feeItemId.length > 1)) return undefined
    return {
      ...toPayDays(origin),
      ...(cashierId ? { cashierId } : {}),
      ...(buildCode ? { buildCode } : {}),
      ...(history === undefined ? {} : { isHistory: history }),
      ...(Array.isArray(feeItemId) ? { feeItem: Number(feeItemId[0]) } : {}),
      state: ['normal', 'partRefunded', 'refunded'],
      ...filter,
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

/** Only a part of a record's prestore is an item's: the sum of whole records would differ. */
const selectRecordsDrilldown = (figure: string, origin: DrilldownOrigin): Drilldown | undefined =>
  figure === 'offset' && ((origin.row && origin.by === 'item') || Array.isArray(origin.query.feeItemId))
    ? undefined
    : recordsDrilldown

function RebuildDialog({ project, onClose }: { readonly project: string; readonly onClose: () => void }) {
  const [day, setDay] = useState(today())
  const [isBusy, setBusy] = useState(false)
  const rebuild = async (): Promise<void> => {
    setBusy(true)
    try {
      const result = await sendAndInvalidate(rebuildDay, { projectCode: project, day })
      toastResult(
        result,
        `${day} 已重算：收 ${displayYuan(result.received)}，退 ${displayYuan(result.refunded)}，净额 ${displayYuan(result.net)}`,
      )
      onClose()
    } catch {
      /* shown as a toast */
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
      okButtonProps={{ loading: isBusy }}
      onCancel={onClose}
      onOk={() => void rebuild()}
    >
      <p>按当天的收款记录重新汇总，记录本身不变；已日结的日期不能重算。</p>
      <DatePicker
        aria-label="日期"
        allowClear={false}
        value={dayjs(day)}
        maxDate={dayjs(today())}
        onChange={value => setDay(asDay(dayjs(value).format('YYYY-MM-DD')))}
      />
    </Modal>
  )
}

/** 收费汇总表 (CLO-1): what cashiers took, by day and month. */
export default function ChargeSummaryPage() {
  const project = useProject()
  const [isRebuilding, setRebuilding] = useState(false)
  return (
    <>
      <ReportPage
        report={dailyCollections}
        path={paths.chargeSummary}
        dateFilter="day"
        barFilters={['day', 'method', 'kind', 'cashierId']}
        topTotals={['received', 'refunded', 'net', 'settled']}
        drilldowns={selectRecordsDrilldown}
        columns={[
          'count',
          'received',
          'refunded',
          'net',
          { key: 'offset', hidePriority: 2 },
          'settled',
          { key: 'prestoreIn', hidePriority: 1 },
          { key: 'prestoreOut', hidePriority: 2 },
          { key: 'depositIn', hidePriority: 1 },
          { key: 'depositOut', hidePriority: 2 },
        ]}
        toolbarActions={[
          {
            label: '重算',
            needs: menu.till.permissions.rebuild,
            disabledReason: project ? undefined : '请先选择项目',
            run: () => setRebuilding(true),
          },
        ]}
      />
      {isRebuilding && project && <RebuildDialog project={project} onClose={() => setRebuilding(false)} />}
    </>
  )
}
