/**
 * The models `m` that OWNERs of org $1 added and that answer, with their providers `v`: those that are enabled.
 * The only place that decides this. The statement says `m.org_id = $1` itself.
 */
export const SERVING_MODELS = `provider_models m
  JOIN model_providers v ON v.org_id = $1 AND v.id = m.provider_id AND v.is_enabled`;
