import { useState } from 'react'
import { useSession } from './session.ts'

interface MaskedValueProps {
  /** The value from the server, which is masked for every caller. */
  readonly value: string
  /** Fetches it in full, which is logged; without it nothing can be revealed. */
  readonly reveal: (() => Promise<string>) | undefined
  /** In full it is a link that a phone dials. */
  readonly isPhone?: boolean
}

/** Personal data stays masked until a person with the permission asks for it in full (PERM-7). */
export function MaskedValue({ value, reveal, isPhone = false }: MaskedValueProps) {
  const [full, setFull] = useState<string>()
  const canReveal = useSession(s => s.signed?.manager.showPrivacy !== false) && reveal !== undefined
  const show = (): void =>
    void reveal?.().then(setFull, () => {
      // The sender has shown the refusal.
    })
  return (
    <>
      {isPhone && full !== undefined ? <a href={`tel:${full}`}>{full}</a> : (full ?? value)}{' '}
      {canReveal && (
        <button
          type="button"
          className="linkish"
          onClick={full === undefined ? show : () => setFull(undefined)}
        >
          {full === undefined ? '显示' : '隐藏'}
        </button>
      )}
    </>
  )
}
