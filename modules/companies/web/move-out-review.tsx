import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { formatCount } from '#kit/web/numbers.tsx'
import { RowSkeleton, errorSentence } from '#kit/web/list/list-feedback.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { Status } from '#kit/web/status.tsx'
import type { MoveStep } from '#modules/residents/contract/move-step.ts'
import { MovePlanChoices, MovePlanSteps } from '#modules/residents/web/public.tsx'
import { moveOutCompany, previewMoveOut, type Company } from '../contract/company.ts'
import { baseKeyOf, roomIdOfKey, withAnswer } from '../domain/room-answers.ts'

type MovePlan = NonNullable<typeof previewMoveOut.output.T>
type MoveAnswers = readonly { readonly key: string; readonly value: string }[]

export type MoveOutRequest = Pick<NonNullable<typeof moveOutCompany.input.T>, 'outDate' | 'reason'>

export interface MoveOutResult {
  readonly rooms: number
  readonly workers: number
}

interface AnswerProps {
  readonly answers: MoveAnswers
  readonly onAnswer: (answers: MoveAnswers) => void
}

/** Questions that several rooms ask: answered once for all of them. */
function SharedQuestions({
  steps,
  answers,
  onAnswer,
}: AnswerProps & { readonly steps: readonly MoveStep[] }) {
  const questions = Map.groupBy(
    steps.filter(s => s.question),
    s => s.key,
  )
  const shared = [...questions.values()].flatMap(([first, ...others]) =>
    first?.question && others.length ? [{ step: first, question: first.question }] : [],
  )
  if (!shared.length) return null
  return (
    <section className="move-plan">
      <h3>全部房间</h3>
      {shared.map(({ step, question }) => (
        <div className="move-step" key={step.key}>
          <fieldset>
            <legend>{question.label}</legend>
            <MovePlanChoices
              step={step}
              value={answers.find(a => a.key === step.key)?.value}
              onAnswer={(key, value) => onAnswer(withAnswer(answers, key, value))}
            />
          </fieldset>
        </div>
      ))}
    </section>
  )
}

/** What becomes of the company itself. */
const CompanyPlan = ({ plan, outDate }: { readonly plan: MovePlan; readonly outDate: string }) => (
  <section className="move-plan">
    <h3>企业</h3>
    <div className="move-step">
      <p>
        状态{' '}
        <b>
          <Status tone="off" plain>
            已迁出
          </Status>
        </b>{' '}
        <small>{outDate} 起</small>
      </p>
      <p>
        员工 <b>{formatCount(plan.workers)} 人离职</b>
        {plan.pending > 0 && <small>待审核的 {formatCount(plan.pending)} 个申请一并作废</small>}
      </p>
      <p>
        二维码 <b>失效</b>
      </p>
    </div>
  </section>
)

interface PlanProps extends AnswerProps {
  readonly plan: MovePlan
  readonly outDate: string
}

function MoveOutPlan({ plan, outDate, answers, onAnswer }: PlanProps) {
  const answerFor = (key: string, roomId: Id): string | undefined =>
    answers.find(a => baseKeyOf(a.key) === key && roomIdOfKey(a.key) === roomId)?.value ??
    answers.find(a => a.key === key)?.value
  return (
    <div className="move-out-plan">
      {plan.blocked && (
        <p className="bad" role="alert">
          暂不能办理：{countBlockedRooms(plan)} 个房间有需要先处理的事项
        </p>
      )}
      <CompanyPlan plan={plan} outDate={outDate} />
      {plan.ending.length > 0 && (
        <section className="move-plan" aria-label="员工的门禁">
          <h3>员工的门禁</h3>
          <MovePlanSteps steps={plan.ending} answerOf={() => undefined} onAnswer={() => {}} />
        </section>
      )}
      <SharedQuestions steps={plan.rooms.flatMap(r => r.steps)} answers={answers} onAnswer={onAnswer} />
      {plan.rooms.map(room => (
        <section className="move-plan" key={room.roomId} aria-label={room.roomPath}>
          <h3>{room.roomPath}</h3>
          <MovePlanSteps
            steps={room.steps}
            answerOf={key => answerFor(key, room.roomId)}
            onAnswer={(key, value) => onAnswer(withAnswer(answers, key, value, room.roomId))}
          />
        </section>
      ))}
      {!plan.rooms.length && <p className="pick-quiet">该企业没有在用的房间</p>}
    </div>
  )
}

const countBlockedRooms = (plan: MovePlan): number =>
  plan.rooms.filter(r => r.steps.some(s => s.blocks)).length

interface ReviewStepProps {
  readonly company: Company
  readonly request: MoveOutRequest
  readonly onBack: () => void
  readonly onDone: (result: MoveOutResult) => void
}

/** What the moving out will do, room by room, with the questions that it asks (BASE-16). */
export function ReviewStep({ company, request, onBack, onDone }: ReviewStepProps) {
  const { outDate, reason } = request
  const [answers, setAnswers] = useState<MoveAnswers>([])
  const [failure, setFailure] = useState<string>()
  const preview = useCall(
    previewMoveOut,
    { id: company.id, outDate, ...(answers.length ? { answers: [...answers] } : {}) },
    { keepPrevious: true, quiet: true, staleMs: 0 },
  )
  const moveOut = useSend(moveOutCompany, { quiet: true })
  const plan = preview.data
  const blockedText = plan?.blocked && `还有 ${countBlockedRooms(plan)} 个房间不能办理，请先处理标出的事项`
  const disabledReason = plan ? blockedText || undefined : preview.isError ? '办理预览加载失败' : '正在读取'
  const submit = async (): Promise<void> => {
    setFailure(undefined)
    try {
      await moveOut.mutateAsync({ id: company.id, ...request, answers: [...answers] })
      const { rooms, workers, pending } = defined(plan)
      onDone({ rooms: rooms.length, workers: workers + pending })
    } catch (e) {
      setFailure(errorSentence(e))
      void preview.refetch()
    }
  }
  return (
    <>
      <p className="move-out-scope">
        迁出日期 <b>{outDate}</b> · 原因 <b>{reason}</b>{' '}
        <button type="button" className="linkish" onClick={onBack}>
          更改
        </button>
      </p>
      {preview.isError && (
        <p className="move-plan bad" role="alert">
          {errorSentence(preview.error)}{' '}
          <button type="button" className="linkish" onClick={() => void preview.refetch()}>
            重试
          </button>
        </p>
      )}
      {!plan && !preview.isError && (
        <div style={{ position: 'relative', height: 200 }}>
          <RowSkeleton rows={4} width={[160, 240]} />
        </div>
      )}
      {plan && <MoveOutPlan plan={plan} outDate={outDate} answers={answers} onAnswer={setAnswers} />}
      {failure && (
        <p className="form-band bad" role="alert">
          {failure}
        </p>
      )}
      <footer>
        <Button
          danger
          loading={moveOut.isPending}
          disabled={disabledReason !== undefined}
          title={disabledReason}
          onClick={() => void submit()}
        >
          {plan
            ? `迁出（${formatCount(plan.rooms.length)} 个房间，${formatCount(plan.workers)} 名员工）`
            : '迁出'}
        </Button>
        <Button disabled={moveOut.isPending} onClick={onBack}>
          上一步
        </Button>
        {blockedText && <span className="bad">{blockedText}</span>}
      </footer>
    </>
  )
}
