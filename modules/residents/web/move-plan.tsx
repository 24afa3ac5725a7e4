import type { Day } from '#kit/domain/day.ts'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { previewMove } from '../contract/move.ts'
import { MovePlanSteps } from './move-plan-steps.tsx'
import { findMoveBlocks } from './move-blocks.ts'
import './residents.css'

export type MoveAnswers = readonly { readonly key: string; readonly value: string }[]
type MovePlanQuery = NonNullable<typeof previewMove.input.T>

/**
 * What a move will do, module by module, and what still stands in its way (BASE-11, BASE-17); nothing is
 * written.
 */
export function MovePlan({
  query,
  isReady,
  hint,
  answers,
  onAnswer,
}: {
  readonly query: Omit<MovePlanQuery, 'day'> & { readonly day: Day | undefined }
  readonly isReady: boolean
  readonly hint: string
  readonly answers: MoveAnswers
  readonly onAnswer: (answer: MoveAnswers) => void
}) {
  // Asked once the form rests: names are typed letter by letter.
  const queryKey = JSON.stringify(query)
  const [settledQuery, setSettledQuery] = useState(query)
  useEffect(() => {
    const t = setTimeout(() => setSettledQuery(query), 300)
    return () => clearTimeout(t)
  }, [queryKey])
  const plan = useCall(
    previewMove,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not sent before the day is given
    { ...(settledQuery as MovePlanQuery), ...(answers.length ? { answers: [...answers] } : {}) },
    { enabled: isReady, keepPrevious: true, quiet: true, staleMs: 0 },
  )
  if (!isReady) return <p className="move-plan">{hint}</p>
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
        <div className="bad" role="alert">
          暂不能办理，请先处理
          {findMoveBlocks(plan.data.steps).map(({ key, title, reason, links }) => (
            <p key={key}>
              {title}：{reason}{' '}
              {links.map(({ label, to }) => (
                <span key={`${label} ${to}`}>
                  <Link to={to}>{label}</Link>{' '}
                </span>
              ))}
            </p>
          ))}
        </div>
      )}
      <MovePlanSteps
        steps={plan.data.steps}
        answerOf={key => answers.find(answer => answer.key === key)?.value}
        onAnswer={(key, value) => onAnswer([...answers.filter(answer => answer.key !== key), { key, value }])}
      />
    </section>
  )
}
