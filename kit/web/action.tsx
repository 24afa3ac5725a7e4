import { defined } from '#kit/domain/defined.ts'
import { Button } from 'antd'
import { useState, type ReactNode } from 'react'
import type { Needs } from '#kit/contract/call.ts'
import type { ExactList } from './exact-keys.ts'
import { runAction } from './run-action.ts'
import { DropdownMenu } from './dropdown.tsx'
import { Icon } from './icons.tsx'
import { usePermission } from './session.ts'
import './action.css'

/**
 * An action of a person: label, needed permission, why it is disabled now, and what it runs. Absent without
 * the permission; disabled with the reason where it is not possible now.
 */
export interface Action {
  readonly label: string
  readonly needs?: Needs | undefined
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly disabledReason?: string | undefined
  readonly run: () => unknown
}

export type Actions = readonly (Action | false | undefined)[]

/** Actions declared apart from where they are used: a misspelt key does not compile. */
export const defineActions = <const List extends Actions>(actions: List & ExactList<Action, List>): Actions =>
  actions

/** Returns a function that keeps the actions this person has the permission for. */
export function useAllowedActions(): <const List extends Actions>(
  actions: List & ExactList<Action, List>,
) => Action[] {
  const hasPermission = usePermission()
  return actions =>
    (actions as Actions).filter((action): action is Action => !!action && hasPermission(action.needs))
}

/**
 * One action as a button; it shows that it is busy until its promise ends, so that it cannot be pressed
 * twice.
 */
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
  // Otherwise the icon announces its English name before the label.
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

/** Actions behind ⋯. The menu is created when it is first opened: a list draws hundreds of these. */
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
          void runAction(defined(actions[Number(key)]).run)
        },
      })}
    >
      <button type="button" className={plain ? 'plain' : 'plain more-actions'} aria-label={label}>
        <Icon name="more" size={16} />
      </button>
    </DropdownMenu>
  )
}

/** In a row: one action and ⋯. A dangerous one is never shown directly. */
export function RowActions({ actions }: { readonly actions: readonly Action[] }) {
  const mainAction = actions.find(action => !action.danger)
  const others = actions.filter(action => action !== mainAction)
  return (
    <div className="actions-row">
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

/** In a footer: the first action primary, the dangerous one at the right, the others behind one ⋯. */
export function FooterActions({ actions }: { readonly actions: readonly Action[] }) {
  const safe = actions.filter(action => !action.danger)
  const danger = actions.filter(action => action.danger)
  return (
    <div className="footer-actions">
      {safe.slice(0, 4).map((v, i) => (
        <ActionButton key={v.label} action={v} primary={i === 0} />
      ))}
      <MoreActions actions={[...safe.slice(4), ...danger.slice(1)]} />
      <span className="spring" />
      {danger.slice(0, 1).map(v => (
        <ActionButton key={v.label} action={v} />
      ))}
    </div>
  )
}
