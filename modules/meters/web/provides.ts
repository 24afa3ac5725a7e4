import { waits } from '#kit/web/waits.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { listMeters } from '../contract/device.ts'
import { listReadings } from '../contract/reading.ts'
import { menu } from '../module.ts'

/**
 * Odd readings that keep their bills from being made (MTR-8), meters to be verified (MTR-18), by the chosen
 * project.
 */
export const provides: Provides = {
  queues: [
    waits({
      key: 'meters.doubt',
      title: '抄表异常待确认',
      tone: 'todo',
      needs: menu.reading.may.confirm,
      list: listReadings,
      filter: { doubtful: true },
      path: '/intelligentMeter/checkmeter/records',
      view: 'doubt',
      verb: '去确认',
      detail: () => '确认后才能出账',
    }),
    waits({
      key: 'meters.verify',
      title: '仪表检定到期',
      tone: 'todo',
      needs: menu.meter.may.view,
      list: listMeters,
      filter: { verifyDue: true },
      path: '/intelligence/metermanage/metermanage',
      view: 'verify',
      verb: '查看',
      detail: () => '三十天内到期或已过期',
    }),
  ],
}
