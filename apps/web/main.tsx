import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { Dialogs } from '#kit/web/confirm.tsx'
import { openKeep } from '#kit/web/keep.ts'
import { queries } from '#kit/web/query.ts'
import { followWindows, loadSession, session } from '#kit/web/session.ts'
import { Theme } from '#kit/web/theme/theme.tsx'
import { reloadOnce } from '#kit/web/trouble.tsx'
import { Frame, fetchAhead } from './frame.tsx'

// A new version has taken the place of the one whose chunk is asked for.
addEventListener('vite:preloadError', e => {
  if (reloadOnce()) {
    e.preventDefault()
  }
})

await openKeep()
loadSession()
followWindows()

if (session.getState().signed) {
  fetchAhead(location.pathname)
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Theme>
      <QueryClientProvider client={queries}>
        <BrowserRouter useTransitions={false}>
          <Frame />
        </BrowserRouter>
        <Dialogs />
      </QueryClientProvider>
    </Theme>
  </StrictMode>,
)
