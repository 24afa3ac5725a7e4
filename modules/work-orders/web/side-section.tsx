import type { ReactNode } from 'react'
import { useAllowedActions, type Actions } from '#kit/web/action.tsx'
import { runAction } from '#kit/web/run-action.ts'

interface SideSectionProps {
  readonly title: string
  readonly actions?: Actions
  readonly children: ReactNode
}

/** A part of what is beside an order, with what may be done about it in its head. */
export function SideSection({ title, actions = [], children }: SideSectionProps) {
  const allowed = useAllowedActions()(actions)
  return (
    <section aria-label={title}>
      <header>
        <h3>{title}</h3>
        {allowed.length > 0 && (
          <div>
            {allowed.map(({ label, run }) => (
              <button
                key={label}
                type="button"
                className="linkish"
                onClick={() => void runAction(async () => run())}
              >
                {label}
              </button>
            ))}
          </div>
        )}
      </header>
      {children}
    </section>
  )
}
