import { Button } from 'antd'
import { useState, type ReactNode } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { deed } from './deed.ts'
import { Drop } from './drop.tsx'
import { Icon } from './icons.tsx'
import { usePermission } from './session.ts'
import './verb.css'

/**
 * Something a person can do: its word, who may, why not now, and the deed. Absent where he may not; disabled
 * with the reason where it cannot be now.
 */
export interface Verb {
  readonly label: string
  readonly may?: Permission | undefined
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly why?: string | undefined
  readonly run: () => unknown
}

export type Verbs = readonly (Verb | false | undefined)[]

/** Those that this person may do at all. */
export function useVerbs(): (verbs: Verbs) => Verb[] {
  const may = usePermission()
  return verbs => verbs.filter((v): v is Verb => !!v && may(v.may))
}

/** One verb as a button; it waits for its own deed, so that it cannot be pressed twice. */
export function VerbButton({
  verb,
  primary,
  small,
}: {
  readonly verb: Verb
  readonly primary?: boolean
  readonly small?: boolean
}) {
  const [busy, setBusy] = useState(false)
  const run = (): void => {
    const doing = verb.run()
    if (doing instanceof Promise) {
      setBusy(true)
      void deed(() => doing).then(() => setBusy(false))
    }
  }
  // An icon says its English name before the label otherwise.
  return (
    <Button
      type={primary && !verb.danger ? 'primary' : 'default'}
      danger={verb.danger ?? false}
      size={small ? 'small' : 'middle'}
      icon={verb.icon}
      {...(verb.icon ? { 'aria-label': verb.label } : {})}
      loading={busy}
      aria-busy={busy}
      disabled={verb.why !== undefined}
      title={verb.why}
      onClick={run}
    >
      {verb.label}
    </Button>
  )
}

/** Verbs behind ⋯. The menu is made when it is first wanted: a list draws hundreds of these. */
export function MoreVerbs({
  verbs,
  label = '更多操作',
  plain,
}: {
  readonly verbs: readonly Verb[]
  readonly label?: string
  readonly plain?: boolean
}) {
  if (!verbs.length) return null
  return (
    <Drop
      menu={close => ({
        items: verbs.map((v, i) => ({
          key: String(i),
          label: <span title={v.why}>{v.label}</span>,
          danger: v.danger ?? false,
          disabled: v.why !== undefined,
          icon: v.icon,
        })),
        onClick: ({ key, domEvent }) => {
          domEvent.stopPropagation()
          close()
          void deed(verbs[Number(key)]!.run)
        },
      })}
    >
      <button type="button" className={plain ? 'plain' : 'plain more-verbs'} aria-label={label}>
        <Icon name="more" size={16} />
      </button>
    </Drop>
  )
}

/** In a row: one verb and ⋯ (screens.md §4). Danger never stands open. */
export function RowVerbs({ verbs }: { readonly verbs: readonly Verb[] }) {
  const open = verbs.find(v => !v.danger)
  const rest = verbs.filter(v => v !== open)
  return (
    <div className="acts-row">
      {open && (
        <button
          type="button"
          className="linkish"
          disabled={open.why !== undefined}
          title={open.why}
          onClick={() => void deed(open.run)}
        >
          {open.label}
        </button>
      )}
      <MoreVerbs verbs={rest} plain />
    </div>
  )
}

/** In a foot: the first one primary, danger at the right. */
export function FootVerbs({ verbs }: { readonly verbs: readonly Verb[] }) {
  const safe = verbs.filter(v => !v.danger)
  const danger = verbs.filter(v => v.danger)
  return (
    <div className="foot-verbs">
      {safe.slice(0, 4).map((v, i) => (
        <VerbButton key={v.label} verb={v} primary={i === 0} />
      ))}
      <MoreVerbs verbs={safe.slice(4)} />
      <span className="spring" />
      {danger.slice(0, 1).map(v => (
        <VerbButton key={v.label} verb={v} />
      ))}
      <MoreVerbs verbs={danger.slice(1)} />
    </div>
  )
}
