import { defined } from '#kit/domain/defined.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { ConfirmDialogs } from '#kit/web/confirm.tsx'
import { openBrowserStore } from '#kit/web/browser-store.ts'
import { queryClient } from '#kit/web/query.ts'
import { syncAcrossWindows, loadSession, session } from '#kit/web/session.ts'
import { Theme } from '#kit/web/theme/theme.tsx'
import { reloadOnce } from '#kit/web/page-error.tsx'
import { AppFrame, fetchAhead } from './frame.tsx'

// A newer version has replaced the one whose chunk is requested.
addEventListener('vite:preloadError', e => {
  if (reloadOnce()) {
    e.preventDefault()
  }
})

function start(): void {
  loadSession()
  syncAcrossWindows()

  if (session.getState().signed) {
    fetchAhead(location.pathname)
  }

  createRoot(defined(document.getElementById('root'))).render(
    <StrictMode>
      <Theme>
        <QueryClientProvider client={queryClient}>
          <BrowserRouter useTransitions={false}>
            <AppFrame />
          </BrowserRouter>
          <ConfirmDialogs />
        </QueryClientProvider>
      </Theme>
    </StrictMode>,
  )
}

// Not awaited at the top of the file: the build would then leave its files apart.
void openBrowserStore().then(start)
