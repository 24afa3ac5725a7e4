import type { Routes } from '#kit/web/routes.ts'
export const routes: Routes = {}
