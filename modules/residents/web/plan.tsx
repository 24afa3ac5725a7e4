import { useEffect, useState } from 'react'
import { Skeleton } from '#kit/web/list/states.tsx'
import { useCall } from '#kit/web/query.ts'
import { planMove } from '../contract/move.ts'
import { PlanSteps } from './plan-steps.tsx'
import './residents.css'

export type Answers = readonly { readonly key: string; readonly value: string }[]
type Ask = NonNullable<typeof planMove.input.T>

/**
 * What a move will do, module by module, and what still stands in its way (BASE-11, BASE-17); nothing is
 * written.
 */
export function Plan({
  ask,
  ready,
  wanted,
  answers,
  onAnswer,
}: {
  readonly ask: Ask
  readonly ready: boolean
  readonly wanted: string
  readonly answers: Answers
  readonly onAnswer: (a: Answers) => void
}) {
  // Asked once the form rests: names are typed letter by letter.
  const now = JSON.stringify(ask)
  const [rested, setRested] = useState(now)
  useEffect(() => {
    const t = setTimeout(() => setRested(now), 300)
    return () => clearTimeout(t)
  }, [now])
  const plan = useCall(
    planMove,
    { ...(JSON.parse(rested) as Ask), ...(answers.length ? { answers: [...answers] } : {}) },
    { enabled: ready, keep: true, quiet: true, fresh: 0 },
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
        <Skeleton rows={4} />
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
      <PlanSteps
        steps={plan.data.steps}
        said={key => answers.find(a => a.key === key)?.value}
        onAnswer={(key, value) => onAnswer([...answers.filter(a => a.key !== key), { key, value }])}
      />
    </section>
  )
}
