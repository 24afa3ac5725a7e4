import { expect, it } from 'vitest'
import { liftRefusal, siteMoment, type HeldItems } from './drivers/lift-rights.ts'

/** A Friday, 10:00 on the clock of the site. */
const at = siteMoment(Date.parse('2026-03-06T02:00:00.000Z'))

const settings = {
  floors: ['1', '2', '3', '4'],
  publicFloors: ['1'],
  closedFloors: ['4'],
  busyTimes: [],
  isRunning: true,
}
const week = { floors: ['3'], isHome: false, from: '2026-03-02', until: '2026-03-08' }

const itemsWith = (rights: readonly object[], changed: object = {}): HeldItems =>
  new Map<string, Record<string, unknown>>([
    ['lift:settings', { ...settings, ...changed }],
    ['lift:card:7', { kind: 'card', rights }],
  ])

it('the simulated controller decides by what it holds (ELV-2)', () => {
  const home = itemsWith([{ floors: ['2'], isHome: true }])
  expect(liftRefusal(home, 'card:7', '2', at)).toBeUndefined()
  expect(liftRefusal(home, 'card:7', '1', at)).toBeUndefined()
  expect(liftRefusal(home, 'card:7', '3', at)).toBe('无此楼层的权限')
  expect(liftRefusal(home, 'card:8', '1', at)).toBe('无此电梯的权限')
  expect(liftRefusal(itemsWith([{ floors: ['4'] }]), 'card:7', '4', at)).toBe('楼层已停用')
  expect(liftRefusal(itemsWith([week], { isRunning: false }), 'card:7', '3', at)).toBe('电梯停用')
  expect(liftRefusal(new Map(), 'card:7', '3', at)).toBe('电梯参数未下发')
})

it('days, windows over midnight and busy times count without the server (ELV-2)', () => {
  expect(liftRefusal(itemsWith([week]), 'card:7', '3', at)).toBeUndefined()
  expect(liftRefusal(itemsWith([week]), 'card:7', '3', { ...at, day: '2026-03-09' })).toBe(
    '不在有效期或时间段内',
  )
  const night = { floors: ['3'], windows: [{ weekDays: ['thursday'], begin: '22:00', end: '11:00' }] }
  expect(liftRefusal(itemsWith([night]), 'card:7', '3', at)).toBeUndefined()
  expect(liftRefusal(itemsWith([night]), 'card:7', '3', { ...at, weekDay: 5 })).toBe('不在有效期或时间段内')
  const busy = (limit: string) => ({ busyTimes: [{ begin: '09:00', end: '11:00', limit }] })
  expect(liftRefusal(itemsWith([week], busy('noCall')), 'card:7', '3', at)).toContain('暂停呼梯')
  expect(liftRefusal(itemsWith([week], busy('ownFloor')), 'card:7', '3', at)).toContain('仅可到本层')
  expect(liftRefusal(itemsWith([week], busy('ownFloor')), 'card:7', '1', at)).toBeUndefined()
  expect(liftRefusal(itemsWith([week], busy('hint')), 'card:7', '3', at)).toBeUndefined()
})

it('a code goes to floors until its last second, without the server (VIS-2, ELV-2)', () => {
  const until = (endTime: string): HeldItems => {
    const rights = [{ floors: ['3'], isHome: true, from: '2026-03-06', until: '2026-03-06' }]
    return new Map([...itemsWith([]), ['lift:qr:76693219', { kind: 'qr', rights, endTime }]])
  }
  const pressed = (endTime: string) => liftRefusal(until(endTime), 'qr:76693219', '3', at)
  expect(pressed('2026-03-06T10:00:00')).toBeUndefined()
  expect(pressed('2026-03-06T09:59:59')).toBe('不在有效期或时间段内')
})
