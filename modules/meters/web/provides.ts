import { send } from '#kit/web/send.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { listMeters } from '../contract/device.ts'
import { listReadings } from '../contract/reading.ts'
import { menu } from '../module.ts'

const records = '/intelligentMeter/checkmeter/records?view=doubt', meters = '/intelligence/metermanage/metermanage?view=verify'
/** Odd readings that keep their bills from being made (MTR-8), meters to be verified (MTR-18), by the chosen project. */
export const provides: Provides = {
  queues: [
    { key: 'meters.doubt', needs: menu.reading.may.confirm, load: async signal => [{ key: 'meters.doubt', title: '抄表异常待确认', tone: 'todo', count: (await send(listReadings, { doubtful: true, page: 1, size: 1 } as never, { quiet: true, signal })).total, detail: '确认后才能出账', verb: '去确认', path: records }] },
    { key: 'meters.verify', needs: menu.meter.may.view, load: async signal => [{ key: 'meters.verify', title: '仪表检定到期', tone: 'todo', count: (await send(listMeters, { verifyDue: true, page: 1, size: 1 } as never, { quiet: true, signal })).total, detail: '三十天内到期或已过期', verb: '查看', path: meters }] },
  ],
}
