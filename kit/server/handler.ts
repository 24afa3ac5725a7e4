/** Handlers of calls: how a module declares them, and the path of a request to them. */
export { SignInRequired, assertSetUp, authorize } from './handler/authorize.ts'
export {
  anonymous,
  reads,
  writes,
  type AnonymousContext,
  type Handler,
  type InstalledModule,
  type ReadContext,
  type ServerModule,
  type WriteContext,
} from './handler/definition.ts'
export { toRefused, uniqueMessages } from './handler/refusal.ts'
export { readMaskedField, runReadCall } from './handler/inner-call.ts'
export { registerHandlers } from './handler/registration.ts'
export { handleRequest, type IncomingRequest } from './handler/request.ts'
