import { useSearchParams } from 'react-router'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { openOwnAccess, openOwnDoorway, showOwnCode } from '../contract/own-access.ts'
import { accessRefetchMs, OwnFrame, OwnPlaceholder } from './own-frame.tsx'

const incompleteLink = new Refused(resultCode.notFound, '链接不完整，请打开收到的完整链接，或向物业重新索取')

function OwnOpened({ token }: { readonly token: string }) {
  const opened = useCall(
    openOwnAccess,
    { token },
    { quiet: true, project: 0, staleMs: 0, refetchMs: accessRefetchMs },
  )
  if (!opened.data) return <OwnPlaceholder error={opened.error} onRetry={() => void opened.refetch()} />
  return (
    <OwnFrame
      access={opened.data}
      open={doorwayId => send(openOwnDoorway, { token, doorwayId }, { quiet: true })}
      show={isNew => send(showOwnCode, { token, isNew }, { quiet: true })}
    />
  )
}

/** 手机开门: the doors and the code of a resident or a worker, without an account, by their own link. */
export default function OwnPageByLink() {
  const [params] = useSearchParams()
  const token = params.get('t')?.trim() ?? ''
  if (!token) return <OwnPlaceholder error={incompleteLink} onRetry={() => {}} />
  return <OwnOpened token={token} key={token} />
}
