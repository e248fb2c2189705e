# A training of quantum chess in the cloud: a private bucket for `--store`, and one GPU machine that trains into it.
#
#   terraform init
#   terraform apply -var bucket=my-trainings -var binary_url=https://…/tabia -var minutes=120
#
# The machine may disappear at any time: it is a spot instance by default. What was finished is in the bucket, and the same command
# starts the next machine, which continues there (`--resume`). At the end, and after an error, the machine terminates itself; its log
# is in the bucket under TRAINING/logs/.
#
# The machine uses the default VPC of the region.

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.2" # instance_market_options
    }
  }
}

provider "aws" {
  region = var.region
}

variable "region" {
  description = "Where bucket and machine are."
  type        = string
  default     = "eu-central-1"
}

variable "bucket" {
  description = "Name of the bucket, unique among all of S3."
  type        = string
}

variable "training" {
  description = "Name of the training: the prefix of its files in the bucket."
  type        = string
  default     = "first"
}

variable "binary_url" {
  description = "Where the machine downloads the program from: the binary itself, not an archive. Use a static one (musl), or one built for a C library no newer than the image's."
  type        = string
}

variable "train_arguments" {
  description = "Arguments with which a new training starts, such as --preset and --set. One that is continued has its settings in the bucket."
  type        = string
  default     = "--preset small"

  validation {
    condition     = !can(regex("--(run|resume|store|minutes|threads|device|python)\\b", var.train_arguments))
    error_message = "train_arguments must not contain --run, --resume, --store, --minutes, --threads, --device or --python: they are set by the script and by other variables."
  }
}

variable "minutes" {
  description = "How long a machine trains at most. A machine that continues a training has this time again. An hour later the machine is shut down even if the program hangs."
  type        = number
  default     = 60

  validation {
    condition     = var.minutes > 0 && var.minutes <= 100000
    error_message = "minutes must be more than 0 and at most 100000."
  }
}

variable "threads" {
  description = "Threads of self-play: more than the machine has processors, because games wait for the GPU."
  type        = number
  default     = 32
}

variable "instance_type" {
  description = "A machine with an NVIDIA GPU."
  type        = string
  default     = "g5.4xlarge"
}

variable "image" {
  description = "Parameter of AWS Systems Manager with the machine image: one with NVIDIA's driver and PyTorch."
  type        = string
  default     = "/aws/service/deeplearning/ami/x86_64/oss-nvidia-driver-gpu-pytorch-2.7-ubuntu-22.04/latest/ami-id"
}

variable "spot" {
  description = "Whether the machine is a spot instance."
  type        = bool
  default     = true
}

variable "disk_gib" {
  description = "Size of its disk."
  type        = number
  default     = 100
}

resource "aws_s3_bucket" "trainings" {
  bucket = var.bucket
}

resource "aws_s3_bucket_public_access_block" "trainings" {
  bucket                  = aws_s3_bucket.trainings.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_server_side_encryption_configuration" "trainings" {
  bucket = aws_s3_bucket.trainings.id
  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm = "AES256"
    }
  }
}

data "aws_iam_policy_document" "machine" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com"]
    }
  }
}

data "aws_iam_policy_document" "store" {
  statement {
    actions   = ["s3:ListBucket"]
    resources = [aws_s3_bucket.trainings.arn]
  }
  statement {
    actions   = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload"]
    resources = ["${aws_s3_bucket.trainings.arn}/${var.training}/*"]
  }
}

resource "aws_iam_role" "machine" {
  name_prefix        = "tabia-training-"
  assume_role_policy = data.aws_iam_policy_document.machine.json
}

resource "aws_iam_role_policy" "store" {
  role   = aws_iam_role.machine.id
  policy = data.aws_iam_policy_document.store.json
}

resource "aws_iam_instance_profile" "machine" {
  name_prefix = "tabia-training-"
  role        = aws_iam_role.machine.name
}

# Nobody has to reach the machine: it only calls out.
resource "aws_security_group" "machine" {
  name_prefix = "tabia-training-"
  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

data "aws_ssm_parameter" "image" {
  name = var.image
}

resource "aws_instance" "machine" {
  ami                         = data.aws_ssm_parameter.image.value
  instance_type               = var.instance_type
  iam_instance_profile        = aws_iam_instance_profile.machine.name
  vpc_security_group_ids      = [aws_security_group.machine.id]
  user_data_replace_on_change = true

  user_data = templatefile("${path.module}/train.sh.tftpl", {
    binary_url = var.binary_url
    region     = var.region
    store      = "s3://${aws_s3_bucket.trainings.id}/${var.training}"
    arguments  = var.train_arguments
    minutes    = var.minutes
    threads    = var.threads
    deadline   = ceil(var.minutes) + 60
  })

  # The script ends with `shutdown`. An on-demand machine would only stop by default, and its disk would still be billed.
  instance_initiated_shutdown_behavior = "terminate"

  # The program reads the role's credentials from the instance; other programs on the network cannot.
  metadata_options {
    http_tokens = "required"
  }

  root_block_device {
    volume_size = var.disk_gib
    encrypted   = true
  }

  dynamic "instance_market_options" {
    for_each = var.spot ? [1] : []
    content {
      market_type = "spot"
    }
  }

  tags = {
    Name = "tabia-${var.training}"
  }

  # A running machine is not replaced because there is a newer image.
  lifecycle {
    ignore_changes = [ami]
  }

  # The script needs the bucket from its first minute.
  depends_on = [aws_iam_role_policy.store]
}

output "store" {
  description = "What --store names, to continue or download the training elsewhere."
  value       = "s3://${aws_s3_bucket.trainings.id}/${var.training}"
}
