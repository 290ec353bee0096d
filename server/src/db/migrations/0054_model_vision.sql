-- Whether the model takes images.
ALTER TABLE provider_models ADD COLUMN IF NOT EXISTS vision boolean NOT NULL DEFAULT false;
