import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { Dialogs } from '#kit/web/confirm.tsx'
import { openKeep } from '#kit/web/keep.ts'
import { queries } from '#kit/web/query.ts'
import { followWindows, loadSession } from '#kit/web/session.ts'
import { Theme } from '#kit/web/theme/theme.tsx'
import { reloadOnce } from '#kit/web/trouble.tsx'
import { Frame } from './frame.tsx'

// A new version has taken the place of the one whose chunk is asked for.
addEventListener('vite:preloadError', e => { if (reloadOnce()) e.preventDefault() })
await openKeep()
loadSession()
followWindows()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Theme>
      <QueryClientProvider client={queries}>
        <BrowserRouter useTransitions={false}><Frame /></BrowserRouter>
        <Dialogs />
      </QueryClientProvider>
    </Theme>
  </StrictMode>,
)
