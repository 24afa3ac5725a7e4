import type { Day } from '#kit/domain/day.ts'
import { useEffect, useState } from 'react'
import { RowSkeleton } from '#kit/web/list/list-states.tsx'
import { useCall } from '#kit/web/query.ts'
import { previewMove } from '../contract/move.ts'
import { MovePlanSteps } from './move-plan-steps.tsx'
import './residents.css'

export type MoveAnswers = readonly { readonly key: string; readonly value: string }[]
type MovePlanQuery = NonNullable<typeof previewMove.input.T>

/**
 * What a move will do, module by module, and what still stands in its way (BASE-11, BASE-17); nothing is
 * written.
 */
export function MovePlan({
  ask,
  ready,
  wanted,
  answers,
  onAnswer,
}: {
  readonly ask: Omit<MovePlanQuery, 'day'> & { readonly day: Day | undefined }
  readonly ready: boolean
  readonly wanted: string
  readonly answers: MoveAnswers
  readonly onAnswer: (a: MoveAnswers) => void
}) {
  // Asked once the form rests: names are typed letter by letter.
  const now = JSON.stringify(ask)
  const [rested, setRested] = useState(now)
  useEffect(() => {
    const t = setTimeout(() => setRested(now), 300)
    return () => clearTimeout(t)
  }, [now])
  const plan = useCall(
    previewMove,
    { ...(JSON.parse(rested) as MovePlanQuery), ...(answers.length ? { answers: [...answers] } : {}) },
    { enabled: ready, keepPrevious: true, quiet: true, staleMs: 0 },
  )
  if (!ready) return <p className="move-plan">{wanted}</p>
  if (plan.isError)
    return (
      <p className="move-plan bad" role="alert">
        {plan.error.message}
      </p>
    )
  if (!plan.data)
    return (
      <div className="move-plan">
        <RowSkeleton rows={4} />
      </div>
    )
  return (
    <section className="move-plan" aria-label="办理结果预览">
      <h3>{plan.data.title}：将会发生</h3>
      {plan.data.blocked && (
        <p className="bad" role="alert">
          还不能办理，请先处理下面标出的事项
        </p>
      )}
      <MovePlanSteps
        steps={plan.data.steps}
        answerOf={key => answers.find(a => a.key === key)?.value}
        onAnswer={(key, value) => onAnswer([...answers.filter(a => a.key !== key), { key, value }])}
      />
    </section>
  )
}
