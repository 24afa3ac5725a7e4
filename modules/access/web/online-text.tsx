import { Status } from '#kit/web/status.tsx'

/** Whether the devices of a door can be reached; nothing where it has none. */
export const onlineText = ({ isOnline }: { readonly isOnline?: boolean | undefined }): string => {
  if (isOnline === undefined) return '--'
  return isOnline ? '在线' : '离线'
}

export const OnlineCell = ({ isOnline }: { readonly isOnline?: boolean | undefined }) =>
  isOnline === undefined ? (
    '--'
  ) : (
    <Status tone={isOnline ? 'done' : 'bad'} plain>
      {onlineText({ isOnline })}
    </Status>
  )
