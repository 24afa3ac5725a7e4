import { useState } from 'react'
import type { Field } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { textOf } from './columns.tsx'
import { getRevealLogger } from './reveal.ts'

interface MaskedValueProps {
  readonly field: Field
  readonly value: string
  /** Whose value it is, and under which name: what is logged when it is shown. */
  readonly entity: string | undefined
  readonly id: Id | undefined
  readonly name: string
}

/**
 * A person with the permission was sent the full value; it stays masked until he asks, and that is logged.
 */
export function MaskedValue({ field, value, entity, id, name }: MaskedValueProps) {
  const [isOpen, setIsOpen] = useState(false)
  const logReveal = getRevealLogger()
  const canReveal =
    logReveal && entity && id !== undefined && field.masked !== 'secret' && !value.includes('*')
  const reveal = (): void => {
    if (!canReveal) return
    void logReveal(entity, id, name).then(
      () => setIsOpen(true),
      () => undefined,
    )
  }
  return (
    <>
      {isOpen ? value : textOf(field, value)}{' '}
      {canReveal && (
        <button type="button" className="linkish" onClick={isOpen ? () => setIsOpen(false) : reveal}>
          {isOpen ? '隐藏' : '显示'}
        </button>
      )}
    </>
  )
}
