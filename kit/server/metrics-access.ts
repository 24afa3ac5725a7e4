import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const isLoopback = (ip: string): boolean => /^(::1$|::ffff:127\.|127\.)/i.test(ip)
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Holders of the token, and clients on this machine that do not come through a proxy on it. */
export function canReadMetrics(req: FastifyRequest, metricsToken: string | undefined): boolean {
  const bearerToken = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1]
  if (metricsToken && bearerToken) return timingSafeEqual(digest(bearerToken), digest(metricsToken))
  return isLoopback(req.ip) && req.headers['x-forwarded-for'] === undefined
}
