import { Radio } from 'antd'
import { Link } from 'react-router'
import { Status } from '#kit/web/status.tsx'
import type { MoveStep } from '../contract/move.ts'
import './residents.css'

interface Props {
  readonly steps: readonly MoveStep[]
  readonly answerOf: (key: string) => string | undefined
  readonly onAnswer: (key: string, value: string) => void
}

/** The parts of a move, each with its lines, its question and what is in its way. */
export const MovePlanSteps = ({ steps, answerOf, onAnswer }: Props) => (
  <>
    {steps.map(s => (
      <div className="move-step" key={s.key} data-blocks={s.blocks !== undefined}>
        <h4>{s.title}</h4>
        {s.blocks && (
          <p className="bad">
            <Status tone="bad" plain>
              {s.blocks}
            </Status>
          </p>
        )}
        {s.lines.map((l, i) => (
          <p key={i}>
            {l.to ? <Link to={l.to}>{l.label}</Link> : l.label}{' '}
            {l.value && (
              <b>
                {l.tone ? (
                  <Status tone={l.tone} plain>
                    {l.value}
                  </Status>
                ) : (
                  l.value
                )}
              </b>
            )}{' '}
            {l.note && <small>{l.note}</small>}
          </p>
        ))}
        {s.question && (
          <fieldset>
            <legend>{s.question.label}</legend>
            <MovePlanChoices of={s} value={answerOf(s.key)} onAnswer={onAnswer} />
          </fieldset>
        )}
      </div>
    ))}
  </>
)

/** The options of a step that asks. */
export const MovePlanChoices = ({
  of,
  value,
  onAnswer,
}: {
  readonly of: MoveStep
  readonly value: string | undefined
  readonly onAnswer: Props['onAnswer']
}) =>
  of.question ? (
    <Radio.Group
      aria-label={of.question.label}
      value={value ?? of.question.value}
      onChange={e => onAnswer(of.key, e.target.value as string)}
      options={of.question.options.map(o => ({
        value: o.value,
        label: o.note ? `${o.label}（${o.note}）` : o.label,
      }))}
    />
  ) : null
