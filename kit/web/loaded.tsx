import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState, RowSkeleton } from './list/list-feedback.tsx'

interface LoadedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isError' | 'refetch'>
  /** The height of the placeholder, in pixels. */
  readonly height: number
  /** The number of rows of the placeholder. */
  readonly rows: number
  readonly width?: readonly number[]
  /** The answer takes exactly this height, too, and is scrolled in it: what is below never moves. */
  readonly keepsHeight?: boolean
  /** Instead of lines: what takes the same place as the answer at every width. */
  readonly placeholder?: ReactNode
  /** An answer stays although a later request failed. */
  readonly keepsAnswer?: boolean
  readonly children: (answer: NonNullable<T>) => ReactNode
}

/** What a request answered; until then a placeholder, and where it failed the error with a way to retry. */
export function Loaded<T>(props: LoadedProps<T>) {
  const { query, height, rows, width, keepsAnswer, keepsHeight, placeholder, children } = props
  const { data, error, isError, refetch } = query
  const isPresent = data !== undefined && data !== null
  if (isError && !(keepsAnswer && isPresent))
    return <ErrorState error={error} onRetry={() => void refetch()} />
  if (isPresent && keepsHeight) return <div style={{ height, overflowY: 'auto' }}>{children(data)}</div>
  if (isPresent) return children(data)
  if (placeholder) return placeholder
  return (
    <div style={{ position: 'relative', height }}>
      <RowSkeleton rows={rows} {...(width ? { width } : {})} />
    </div>
  )
}
