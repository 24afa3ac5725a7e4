import type { ReactNode } from 'react'
import { labelOf, type Choices, type Tone } from '#kit/contract/field.ts'
import { cssVariables } from './css-variables.ts'
import { BlankValue } from './numbers.tsx'

/** The shape that makes a state readable without its colour. 10 × 10. */
const shapes: Record<Tone, ReactNode> = {
  done: (
    <path
      d="M1.2 5.4 3.8 8 8.8 2.4"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  doing: (
    <>
      <circle cx="5" cy="5" r="3.9" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M5 1.1a3.9 3.9 0 0 1 0 7.8z" fill="currentColor" />
    </>
  ),
  todo: <path d="M5 1.2 9.4 8.8H.6z" fill="currentColor" />,
  bad: <path d="M5 .4 9.6 5 5 9.6.4 5z" fill="currentColor" />,
  hold: <path d="M2.2 1.2h2v7.6h-2zM5.8 1.2h2v7.6h-2z" fill="currentColor" />,
  open: <circle cx="5" cy="5" r="3.7" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  off: <path d="M1.2 4.2h7.6v1.6H1.2z" fill="currentColor" />,
}

export const StatusIcon = ({ tone, size = 10 }: { readonly tone: Tone; readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 10 10" aria-hidden="true" focusable="false">
    {shapes[tone]}
  </svg>
)

interface StatusProps {
  readonly tone: Tone
  readonly children: ReactNode
  readonly plain?: boolean
  readonly title?: string
}

/** A state: meaning by colour, by shape and by text. */
export function Status({ tone, children, plain, title }: StatusProps) {
  const toneStyle = cssVariables({ '--tone': `var(--${tone})`, '--tone-bg': `var(--${tone}-bg)` })
  return (
    <span className={plain ? 'status bare' : 'status'} style={toneStyle} title={title}>
      <StatusIcon tone={tone} />
      {children}
    </span>
  )
}

/** The value of a choice: a state where its table gives a tone, plain text where it is a category. */
export function ChoiceStatus({
  choices,
  value,
  plain,
}: {
  readonly choices: Choices
  readonly value: string | undefined
  readonly plain?: boolean
}) {
  if (!value) return <BlankValue />
  const tone = choices.rows[value]?.[2]
  return tone ? (
    <Status tone={tone} plain={plain ?? false}>
      {labelOf(choices, value)}
    </Status>
  ) : (
    labelOf(choices, value)
  )
}
