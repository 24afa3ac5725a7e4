import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { keyOf, type ChoiceOf } from '#kit/contract/field.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import type { ChosenSource } from './cashier-search.tsx'

interface OpenSource {
  readonly type: ChoiceOf<typeof sourceType> | undefined
  /** Empty: nothing is open. */
  readonly code: string
  /** The estate of the address, where that is not the chosen one: codes repeat between estates. */
  readonly otherEstate: string | undefined
  readonly open: (source: ChosenSource | undefined) => void
  /** Lets the shell choose the estate of the address. */
  readonly switchEstate: () => void
}

/** Whose bills are open, as the address holds it: type, code and the estate that the code belongs to. */
export function useOpenSource(project: string): OpenSource {
  const [params, setParams] = useSearchParams()
  const estate = params.get('estate')
  const code = params.get('code') ?? ''
  // `project`: the shell is about to choose it.
  const lacksEstate = code !== '' && estate === null && !params.has('project')
  useEffect(() => {
    if (lacksEstate) {
      setParams(current => ({ ...Object.fromEntries(current), estate: project }), { replace: true })
    }
  }, [lacksEstate, project, setParams])
  const otherEstate = code !== '' && estate !== null && estate !== project ? estate : undefined
  return {
    type: keyOf(sourceType, params.get('type') ?? ''),
    code: otherEstate === undefined ? code : '',
    otherEstate,
    open: source =>
      setParams(
        source
          ? { type: String(sourceType.rows[source.sourceType][0]), code: source.sourceCode, estate: project }
          : {},
        { replace: true },
      ),
    switchEstate: () =>
      setParams(current => ({ ...Object.fromEntries(current), project: estate ?? project }), {
        replace: true,
      }),
  }
}
