import { Suspense, useEffect } from 'react'
import { useLocation } from 'react-router'
import { PageErrorBoundary, PageNotFound } from '#kit/web/page-error.tsx'
import { PhoneToasts } from '#kit/web/phone/phone-toasts.tsx'
import { OpeningPage } from '#kit/web/progress.tsx'
import { useDocumentAppearance } from '#kit/web/theme/appearance.ts'
import { findResidentPage } from './resident-pages.ts'

const firstPath = location.pathname

/** An address of the back office: its page is fetched from the server. */
function OtherPage({ path }: { readonly path: string }) {
  const isFirst = path === firstPath
  useEffect(() => {
    if (!isFirst) {
      location.reload()
    }
  }, [isFirst])
  return isFirst ? <PageNotFound path={path} /> : <OpeningPage />
}

/** The pages of residents, without the back office: each stands alone on a phone. */
export function ResidentApp() {
  const { pathname } = useLocation()
  const page = findResidentPage(pathname)
  useDocumentAppearance()
  useEffect(() => {
    document.title = page?.title ?? '页面不存在'
    window.scrollTo(0, 0)
  }, [page])
  if (!page) return <OtherPage path={pathname} />
  return (
    <>
      <PageErrorBoundary resetKey={page.path}>
        <Suspense fallback={<OpeningPage />}>
          <page.Page />
        </Suspense>
      </PageErrorBoundary>
      <PhoneToasts />
    </>
  )
}
