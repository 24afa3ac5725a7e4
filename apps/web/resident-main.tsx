import './older-browsers.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { defined } from '#kit/domain/defined.ts'
import { openBrowserStore } from '#kit/web/browser-store.ts'
import { reloadOnce } from '#kit/web/page-error.tsx'
import { queryClient } from '#kit/web/query.ts'
import '#kit/web/theme/base.css'
import { ResidentApp } from './resident-app.tsx'
import { fetchResidentPage } from './resident-pages.ts'

// A newer version has replaced the one whose chunk is requested.
addEventListener('vite:preloadError', e => {
  if (reloadOnce()) {
    e.preventDefault()
  }
})

fetchResidentPage(location.pathname)

void openBrowserStore().then(() =>
  createRoot(defined(document.getElementById('root'))).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <BrowserRouter useTransitions={false}>
          <ResidentApp />
        </BrowserRouter>
      </QueryClientProvider>
    </StrictMode>,
  ),
)
