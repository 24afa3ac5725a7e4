import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { saveStored } from '#kit/web/browser-store.ts'
import { useCall } from '#kit/web/query.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { openHome } from '../contract/home.ts'
import { HomeContent } from './home-content.tsx'
import {
  missingResidentToken,
  ResidentPlaceholder,
  residentTokenName,
  useResidentAddress,
  type ResidentAddress,
} from './public.resident-frame.tsx'

const title = '住户服务'
const SignIn = lazyComponent(() => import('./sign-in.tsx').then(m => m.SignIn))

function OpenedHome({ address }: { readonly address: ResidentAddress }) {
  const opened = useCall(openHome, address, { quiet: true, project: 0, staleMs: 0 })
  const isOpen = opened.data !== undefined
  // Codes that this phone scans later find its resident.
  useEffect(() => {
    if (isOpen) {
      saveStored(residentTokenName, address.token)
    }
  }, [isOpen, address.token])
  if (!opened.data)
    return <ResidentPlaceholder title={title} error={opened.error} onRetry={() => void opened.refetch()} />
  return <HomeContent page={opened.data} token={address.token} />
}

interface ScannedProps {
  readonly entrance: string
  readonly token: string
}

/** A phone that is signed in reads a printed code: it signs in again only where it has no home. */
function ScannedHome({ entrance, token }: ScannedProps) {
  const opened = useCall(openHome, { token, entrance }, { quiet: true, project: 0, staleMs: 0 })
  if (opened.data) return <HomeContent page={opened.data} token={token} />
  const { error } = opened
  if (error instanceof Refused && error.code === resultCode.notFound) return <SignIn entrance={entrance} />
  return <ResidentPlaceholder title={title} error={error} onRetry={() => void opened.refetch()} />
}

/** 住户服务: what a resident may do from their own phone, by a link, a code or a sign-in. */
export default function ResidentHomePage() {
  const [params] = useSearchParams()
  const address = useResidentAddress()
  const entrance = params.get('e')?.trim() ?? ''
  if (entrance !== '' && address.token)
    return <ScannedHome entrance={entrance} token={address.token} key={entrance} />
  if (entrance !== '') return <SignIn entrance={entrance} key={entrance} />
  if (!address.token) return <ResidentPlaceholder title={title} error={missingResidentToken} />
  return <OpenedHome address={address} key={address.token} />
}
