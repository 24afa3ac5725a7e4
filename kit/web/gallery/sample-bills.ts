import { asId } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { padDigits } from '#kit/domain/day.ts'
import { asFen } from '#kit/domain/money.ts'
import type { Bill } from './bill.ts'

const names = [
  '肖志强',
  '林慧敏',
  '潘婷婷',
  '吴国庆',
  '许磊',
  '朱子涵',
  '杨建国',
  '何伟',
  '韩淑珍',
  '蒋婷婷',
  '李子涵',
  '许玉梅',
  '杨明辉',
  '欧阳文静',
]

let seed = 7

const randomBelow = (n: number): number => {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed % n
}

/** 3,210 made-up bills, the same ones at every start. */
export const createBills = (): Bill[] =>
  Array.from({ length: 3210 }, (_, i): Bill => {
    const building = 1 + randomBelow(6)
    const amount = asFen(10000 + randomBelow(60000))
    const lateFee = asFen(i % 9 === 4 ? 0 : randomBelow(12000))
    const paid = asFen(i % 5 === 3 ? 5000 : 0)
    const reduced = asFen(i % 8 === 7 ? 9964 : 0)
    const days = Math.max(0, 204 - i * 3)
    const unpaidState = i % 17 === 0 ? 'paying' : i % 23 === 0 ? 'void' : 'open'
    const state = paid ? 'part' : days ? 'late' : unpaidState
    return {
      id: asId(i + 1),
      version: 1,
      createTime: '2026-07-05 02:00:00',
      updateTime: '2026-07-05 02:00:00',
      projectCode: 'P1',
      buildCode: `B${building}`,
      buildName: `${building}栋`,
      roomNo: `${building}-${1 + randomBelow(2)}-${String(1 + randomBelow(18)).padStart(2, '0')}0${1 + randomBelow(4)}`,
      payer: defined(names[i % names.length]),
      mobile: `1380013${String(6000 + i)}`,
      item: i % 6 === 1 ? 'rubbish' : i % 5 === 4 ? 'shared' : 'estate',
      period: i % 6 === 1 ? '2026 全年' : '2026-07 ~ 09',
      from: '2026-07',
      due: `2026-${padDigits(4 + (i % 5))}-30`,
      days,
      amount,
      reduced,
      paid,
      ...(lateFee ? { late: lateFee } : {}),
      rest: asFen(amount - reduced - paid + lateFee),
      area: '142.36',
      state,
      shop: false,
      billNo: `ZD20260705${String(i).padStart(6, '0')}`,
      batchNo: 'PC20260705000002',
      tags: i % 4 ? [] : ['催缴'],
      parts: [{ name: '物业费', count: 3, price: asFen(39861), since: '2026-07-01' }],
      ...(i % 3 ? {} : { remark: '与业主约定分两次缴纳' }),
    }
  })
