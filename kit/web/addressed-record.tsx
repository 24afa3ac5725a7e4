import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { Call } from '#kit/contract/call.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { RowSkeleton } from './list/list-feedback.tsx'
import { useCall } from './query.ts'
import { InvalidAddress, RecordFailure } from './record-failure.tsx'
import { useTabTitle } from './tab.ts'

interface AddressedRecordOptions<T> {
  /** The id, where it is not in `?id=` of the address. */
  readonly id?: Id
  readonly tabTitle: (record: T) => string
  /** The number of rows of the placeholder. */
  readonly rows?: number
  readonly width?: readonly number[]
  readonly staleMs?: number
}

interface AddressedRecord<T> {
  readonly id: Id
  readonly record: T | undefined
  /** Takes the place of the record: still loading, not found, or no record is named. */
  readonly placeholder: ReactNode
}

/**
 * The record that the address of a page names: `const { record, placeholder } = useAddressedRecord(getRoom,
 * { tabTitle: r => r.path })`, then `if (!record) return placeholder`.
 */
export function useAddressedRecord<T>(
  call: Call<{ readonly id: Id }, T>,
  { id: explicitId, tabTitle, rows = 8, width, staleMs }: AddressedRecordOptions<T>,
): AddressedRecord<T> {
  const [address] = useSearchParams()
  const id = explicitId ?? parseId(address.get('id'))
  const stale = staleMs === undefined ? {} : { staleMs }
  const query = useCall(call, { id }, { quiet: true, enabled: id > 0, ...stale })
  const record = query.isError ? undefined : query.data
  useTabTitle(record && tabTitle(record))
  const drawPlaceholder = (): ReactNode => {
    if (id <= 0) return <InvalidAddress />
    if (query.isError) return <RecordFailure error={query.error} onRetry={() => void query.refetch()} />
    return <RowSkeleton rows={rows} {...(width ? { width } : {})} />
  }
  return { id, record, placeholder: record ? null : drawPlaceholder() }
}
