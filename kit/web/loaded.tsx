import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState, RowSkeleton } from './list/list-feedback.tsx'

interface LoadedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isError' | 'refetch'>
  /** Of the place that the answer will take, in pixels. */
  readonly height: number
  /** Of the placeholder. */
  readonly rows: number
  readonly width?: readonly number[]
  /** An answer stays although a later request failed. */
  readonly keepsAnswer?: boolean
  readonly children: (answer: NonNullable<T>) => ReactNode
}

/** What a request answered; until then a placeholder, and where it failed the error with a way to retry. */
export function Loaded<T>({ query, height, rows, width, keepsAnswer, children }: LoadedProps<T>) {
  const { data, error, isError, refetch } = query
  const isPresent = data !== undefined && data !== null
  if (isError && !(keepsAnswer && isPresent))
    return <ErrorState error={error} onRetry={() => void refetch()} />
  if (isPresent) return children(data)
  return (
    <div style={{ position: 'relative', height }}>
      <RowSkeleton rows={rows} {...(width ? { width } : {})} />
    </div>
  )
}
