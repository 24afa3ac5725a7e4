import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { isStarted, missingOf, signOfDraft, type ItemDraft } from './phone-draft.ts'
import { canRetry, retriedSign, signNameOf, wasKept, type QueuedSign } from './queued-sign.ts'

const step = { id: asId(3), stepName: '水温', needs: { verdict: true, minValue: '40', maxValue: '60' } }
const photos: readonly string[] = []

it('an item asks for its result, its number, its photo and of a fault for words', () => {
  const of = (draft: Partial<ItemDraft> | undefined, needs: object = step.needs) =>
    missingOf({ ...step, needs }, draft && { photos, ...draft })
  expect(of(undefined)).toBe('请选择「水温」的结果')
  expect(of({ verdict: 'passed' })).toBe('请填写「水温」的数值')
  expect(of({ verdict: 'passed', value: '50' })).toBeUndefined()
  expect(of({ verdict: 'notApplicable' })).toBeUndefined()
  expect(of({ verdict: 'failed', value: '39' })).toBe('请填写「水温」的问题')
  // Out of its bounds: it has failed, whatever was chosen.
  expect(of({ verdict: 'passed', value: '39' })).toBe('请填写「水温」的问题')
  expect(of({ verdict: 'passed' }, { photo: true })).toBe('「水温」需要拍照')
})

it('what was touched counts as started, an opened field does not', () => {
  expect([undefined, { photos }, { photos, remark: '' }].map(isStarted)).toEqual([false, false, false])
  expect([{ photos, remark: '已擦' }, { photos: ['a'] }, { photos, value: '5' }].map(isStarted)).toEqual([
    true,
    true,
    true,
  ])
})

it('words are a fault of what failed and a remark of what passed; the label goes with the sign', () => {
  const about = {
    task: { id: asId(1), planName: '大堂检查', targetName: '1 层 大厅' },
    code: undefined,
    deviceMs: 5,
  }
  const draft = { photos, value: ' 50 ', abnormal: '漏水', remark: '已擦' }
  expect(signOfDraft(step, { ...draft, verdict: 'passed' }, about)).toMatchObject({
    signType: 'manual',
    value: '50',
    abnormal: undefined,
    remark: '已擦',
  })
  expect(signOfDraft(step, { ...draft, verdict: 'failed' }, { ...about, code: 'abc' })).toMatchObject({
    signType: 'qr',
    code: 'abc',
    abnormal: '漏水',
    remark: undefined,
  })
  expect(signOfDraft(step, { ...draft, verdict: 'notApplicable' }, about).value).toBeUndefined()
  expect(signNameOf(signOfDraft(step, draft, about))).toBe('1 层 大厅 大堂检查 水温')
})

const sign: QueuedSign = {
  uuid: 'first',
  taskId: asId(1),
  pointName: '水温',
  signType: 'manual',
  deviceMs: 1000,
  queuedMs: 1000,
  photos,
  isOffline: false,
}

it('what waited while its page was closed keeps the time of the phone, whatever its clock does (PAT-6)', () => {
  expect(wasKept(sign, 5000)).toBe(false)
  expect(wasKept({ ...sign, isOffline: true }, 5000)).toBe(true)
  expect(wasKept(sign, 3_600_000)).toBe(true)
  expect(wasKept(sign, -3_600_000)).toBe(true)
})

it('what the server keeps aside is sent under another number; what never counts is not offered again', () => {
  const refused = { ...sign, refusal: '没有权限' }
  expect(retriedSign(refused, 'second')).toMatchObject({ uuid: 'first', refusal: undefined, isOffline: true })
  const aside = { ...refused, extraReason: 'notAssigned' as const }
  expect(retriedSign(aside, 'second')).toMatchObject({ uuid: 'second', extraReason: undefined })
  expect(canRetry(aside)).toBe(true)
  expect(canRetry({ ...aside, extraReason: 'unknownCode' })).toBe(false)
})
