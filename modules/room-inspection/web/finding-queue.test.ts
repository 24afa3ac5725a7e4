import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import type { InspectionFinding } from '../contract/finding.ts'
import { applyJudgements, type QueuedJudgement } from './finding-queue.ts'

const finding = (id: number): InspectionFinding => ({
  id: asId(id),
  version: 1,
  createTime: '2026-11-21 09:00:00',
  updateTime: '2026-11-21 09:00:00',
  projectCode: 'GOLD0001',
  inspectionId: asId(1),
  itemId: asId(id),
  part: '入户门',
  itemName: `项目${id}`,
  sort: id,
})

const queued = (
  findingId: number,
  judgement: QueuedJudgement['judgement'],
  refusal?: string,
): QueuedJudgement => ({
  uuid: `u${findingId}`,
  inspectionId: asId(1),
  findingId: asId(findingId),
  judgement,
  photos: ['local'],
  refusal,
})

it('what waits on the phone is shown as judged, what was refused is not', () => {
  const shown = applyJudgements(
    [finding(1), finding(2), finding(3)],
    [queued(1, { result: 'problem', problem: '松动' }), queued(2, { result: 'passed' }, '该验房单已完成')],
  )
  expect(shown.map(({ result, problem, photos }) => [result, problem, photos])).toEqual([
    ['problem', '松动', ['local']],
    [undefined, undefined, undefined],
    [undefined, undefined, undefined],
  ])
})
