import { Button } from 'antd'
import { useState, type ReactNode } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import type { ExactList } from './exact.ts'
import { runAction } from './run-action.ts'
import { DropdownMenu } from './dropdown.tsx'
import { Icon } from './icons.tsx'
import { usePermission } from './session.ts'
import './action.css'

/**
 * Something a person can do: its word, who may, why not now, and the deed. Absent where he may not; disabled
 * with the reason where it cannot be now.
 */
export interface Action {
  readonly label: string
  readonly needs?: Permission | undefined
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly disabledReason?: string | undefined
  readonly run: () => unknown
}

export type Actions = readonly (Action | false | undefined)[]

/** Actions declared apart from where they are used: a misspelt key does not compile. */
export const defineActions = <const List extends Actions>(actions: List & ExactList<Action, List>): Actions =>
  actions

/** Answers those of a list that this person may do at all. */
export function useAllowedActions(): <const List extends Actions>(
  actions: List & ExactList<Action, List>,
) => Action[] {
  const hasPermission = usePermission()
  return actions =>
    (actions as Actions).filter((action): action is Action => !!action && hasPermission(action.needs))
}

/** One verb as a button; it waits for its own deed, so that it cannot be pressed twice. */
export function ActionButton({
  action,
  primary,
  small,
}: {
  readonly action: Action
  readonly primary?: boolean
  readonly small?: boolean
}) {
  const [busy, setBusy] = useState(false)
  const run = (): void => {
    const result = action.run()
    if (result instanceof Promise) {
      setBusy(true)
      void runAction(() => result).then(() => setBusy(false))
    }
  }
  // An icon says its English name before the label otherwise.
  return (
    <Button
      type={primary && !action.danger ? 'primary' : 'default'}
      danger={action.danger ?? false}
      size={small ? 'small' : 'middle'}
      icon={action.icon}
      {...(action.icon ? { 'aria-label': action.label } : {})}
      loading={busy}
      aria-busy={busy}
      disabled={action.disabledReason !== undefined}
      title={action.disabledReason}
      onClick={run}
    >
      {action.label}
    </Button>
  )
}

/** Verbs behind ⋯. The menu is made when it is first wanted: a list draws hundreds of these. */
export function MoreActions({
  actions,
  label = '更多操作',
  plain,
}: {
  readonly actions: readonly Action[]
  readonly label?: string
  readonly plain?: boolean
}) {
  if (!actions.length) return null
  return (
    <DropdownMenu
      menu={close => ({
        items: actions.map((action, i) => ({
          key: String(i),
          label: <span title={action.disabledReason}>{action.label}</span>,
          danger: action.danger ?? false,
          disabled: action.disabledReason !== undefined,
          icon: action.icon,
        })),
        onClick: ({ key, domEvent }) => {
          domEvent.stopPropagation()
          close()
          void runAction(actions[Number(key)]!.run)
        },
      })}
    >
      <button type="button" className={plain ? 'plain' : 'plain more-verbs'} aria-label={label}>
        <Icon name="more" size={16} />
      </button>
    </DropdownMenu>
  )
}

/** In a row: one verb and ⋯ (screens.md §4). Danger never stands open. */
export function RowActions({ actions }: { readonly actions: readonly Action[] }) {
  const mainAction = actions.find(action => !action.danger)
  const others = actions.filter(action => action !== mainAction)
  return (
    <div className="acts-row">
      {mainAction && (
        <button
          type="button"
          className="linkish"
          disabled={mainAction.disabledReason !== undefined}
          title={mainAction.disabledReason}
          onClick={() => void runAction(mainAction.run)}
        >
          {mainAction.label}
        </button>
      )}
      <MoreActions actions={others} plain />
    </div>
  )
}

/** In a foot: the first one primary, danger at the right. */
export function FooterActions({ actions }: { readonly actions: readonly Action[] }) {
  const safe = actions.filter(action => !action.danger)
  const danger = actions.filter(action => action.danger)
  return (
    <div className="foot-verbs">
      {safe.slice(0, 4).map((v, i) => (
        <ActionButton key={v.label} action={v} primary={i === 0} />
      ))}
      <MoreActions actions={safe.slice(4)} />
      <span className="spring" />
      {danger.slice(0, 1).map(v => (
        <ActionButton key={v.label} action={v} />
      ))}
      <MoreActions actions={danger.slice(1)} />
    </div>
  )
}
