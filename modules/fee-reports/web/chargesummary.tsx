import { Modal } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { act, tellDone } from '#kit/web/acts.ts'
import { DatePicker } from '#kit/web/calendar.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { today } from '#kit/web/when.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { rebuildDay, tillDays } from '../contract/till.ts'
import { menu } from '../module.ts'
import { ReportPage } from './report-page.tsx'
import { narrowed, type From, type Way } from './way.ts'

const path = '/finance/reportCenter/financialManagement/chargesummary'
const days = (f: From): object => ({ payDayFrom: f.asked.dayFrom, payDayTo: f.asked.dayTo })

const only: Readonly<Record<string, (key: string, f: From) => object | undefined>> = {
  day: (key, f) => narrowed('payDay', days(f) as never, key),
  month: (key, f) => narrowed('payDay', days(f) as never, key),
  cashier: key => ({ cashierId: [key] }),
  item: key => ({ feeItem: Number(key) }),
}

/**
 * Whole records stand behind a day, a cashier, an item; a way of paying is a part of a record and has none of
 * its own.
 */
const records: Way = {
  path: '/finance/chargemanage/paidbills',
  without: ['cash'],
  filter: f => {
    const { cashierId, feeItemId, buildCode, history, method, kind } = f.asked
    const more = f.row && f.by !== 'project' ? only[f.by]?.(f.row.key!, f) : {}
    if (!more || method || kind || (Array.isArray(feeItemId) && feeItemId.length > 1)) return undefined
    return {
      ...days(f),
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
const recordWay = (figure: string, f: From): Way | undefined =>
  figure === 'offset' && ((f.row && f.by === 'item') || Array.isArray(f.asked.feeItemId))
    ? undefined
    : records

function RebuildDialog({ project, onClose }: { readonly project: string; readonly onClose: () => void }) {
  const [day, setDay] = useState(today())
  const [busy, setBusy] = useState(false)
  const go = async (): Promise<void> => {
    setBusy(true)
    try {
      const d = await act(rebuildDay, { projectCode: project, day })
      tellDone(d, `${day} 已重算：收 ${yuan(d.received)}，退 ${yuan(d.refunded)}，净额 ${yuan(d.net)}`)
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
        onChange={d => setDay(dayjs(d).format('YYYY-MM-DD'))}
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
        path={path}
        span="day"
        bar={['day', 'method', 'kind', 'cashierId']}
        above={['received', 'refunded', 'net', 'cash']}
        way={recordWay}
        entries={[
          'count',
          'received',
          'refunded',
          'net',
          { key: 'offset', drop: 2 },
          'cash',
          { key: 'prestoreIn', drop: 1 },
          { key: 'prestoreOut', drop: 2 },
          { key: 'depositIn', drop: 1 },
          { key: 'depositOut', drop: 2 },
        ]}
        tools={[
          {
            label: '重算',
            may: menu.till.may.rebuild,
            why: project ? undefined : '请先选择一个项目',
            run: () => setRebuilding(true),
          },
        ]}
      />
      {rebuilding && project && <RebuildDialog project={project} onClose={() => setRebuilding(false)} />}
    </>
  )
}
